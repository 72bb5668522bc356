//! A recording for the documentation examples.

/// LVX 1.1, one device, one frame, one package of data type 2 whose first point is 1.5 m ahead.
pub fn recording() -> Vec<u8> {
    let mut file = b"livox_tech\0\0\0\0\0\0\x01\x01\0\0\x67\xa7\x0e\xac\x32\0\0\0\x01".to_vec();
    file.extend(*b"3WEDH7600101501\0");
    file.extend([0; 16 + 1]);
    file.extend([3, 1]);
    file.extend([0; 24]);
    let next = 88_u64 + 24 + 19 + 1344;
    for offset in [88, next, 0] {
        file.extend(offset.to_le_bytes());
    }
    file.extend([0, 5, 1, 1, 0, 0, 0, 0, 0, 1, 2]);
    file.extend(1_726_588_075_299_964_555_u64.to_le_bytes());
    file.extend(1500_i32.to_le_bytes());
    file.extend([0; 8]);
    file.extend([42, 0x10]);
    file.extend([0; 95 * 14]);
    file
}
