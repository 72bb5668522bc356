//! A recording for the examples of the documentation.

use robolog_core::slices::fitting;

/// One frame of a recording as 0.9.15 writes it: a hero at 12.5 m, moving.
pub fn recording() -> Vec<u8> {
    let mut file = b"\x01\0\x0e\0CARLA_RECORDER".to_vec();
    file.extend(1_700_000_000_i64.to_le_bytes());
    file.extend(b"\x06\0Town01");
    let mut packet = |id: u8, parts: &[&[u8]]| {
        let body = parts.concat();
        file.push(id);
        file.extend(fitting::<u32>(body.len()).to_le_bytes());
        file.extend(body);
    };
    let at: [[u8; 4]; 6] = [1250.0_f32, -300.0, 10.0, 0.0, 0.0, 90.0].map(f32::to_le_bytes);
    let at = at.concat();
    let id = 25_u32.to_le_bytes();
    packet(0, &[&1_u64.to_le_bytes(), &(-1.0_f64).to_le_bytes(), &0.0_f64.to_le_bytes()]);
    let hero = b"\x14\0vehicle.tesla.model3\x01\0\x03\x09\0role_name\x04\0hero";
    packet(2, &[&[1, 0], &id, &[1], &at, &[1, 0, 0, 0], hero]);
    packet(6, &[&[1, 0], &id, &at]);
    packet(1, &[]);
    file
}
