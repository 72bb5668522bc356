//! The formulas against the rows of the data set, against PROJ, and against C.

use effibox::{
    lambert::{Geodetic, Lambert, Plane},
    nmea::{Message, Reader},
    number::printf_g,
};

/// Sentences that give the sample rows of the data set, found by search: the minutes are certain, the height's parts
/// (411.2 and 49.4) are one of several pairs that give its digits.
const LOG: &[u8] = b"$GPGGA,085842.00,4545.60946,N,00306.59563,E,2,08,0.98,411.2,M,49.4,M,,*5E\r\n\
$GPGGA,085843.00,4545.60946,N,00306.59562,E,2,08,0.98,411.2,M,49.4,M,,*5E\r\n\
$GPGGA,085844.00,4545.60947,N,00306.59562,E,2,08,1.25,411.3,M,49.4,M,,*5E\r\n";

/// Sample rows of `Bus_InterfaceGps__dev_ttyACM0_GGA_all.txt`, without the reception time.
const ROWS: [&str; 3] = [
    "660168.799340458 2084722.75496854 460.600012207031 0.798665417515059 0.0542784685555518 460.600012207031 8 32322 2 0.980000019073486 -1",
    "660168.786374253 2084722.75484107 460.600012207031 0.798665417515059 0.0542784656466697 460.600012207031 8 32323 2 0.980000019073486 -1",
    "660168.786191338 2084722.77336542 460.699987792969 0.798665420423941 0.0542784656466697 460.699987792969 8 32324 2 1.25 -1",
];

/// Compares rows digit for digit on x86-64 Linux, the platform of the data set's recorder. The exponential and the logarithm of
/// other C libraries can differ in the last bit, which moves a northing by its last digit, 1e-8 m. On other platforms, numbers
/// must agree to 1e-14 of their value.
pub(crate) fn assert_row(found: &str, expected: &str) {
    if cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        assert_eq!(found, expected);
        return;
    }
    let numbers =
        |row: &str| row.split(' ').map(|word| word.trim_end().parse().unwrap()).collect::<Vec<f64>>();
    let (one, other) = (numbers(found), numbers(expected));
    assert_eq!(one.len(), other.len());
    let near = one.iter().zip(&other).all(|(one, other)| (one - other).abs() <= 1e-14 * other.abs());
    assert!(near, "{found}\n{expected}");
}

/// A row of the table, made of a sentence.
fn row(message: &Message<'_>) -> String {
    let Message::Gga(gga) = message else { panic!("{message:?}") };
    #[expect(clippy::cast_possible_truncation, reason = "so does the logger")]
    let single = |d: effibox::nmea::Decimal| f64::from(d.as_f64() as f32);
    let height = single(gga.altitude.unwrap()) + gga.separation.unwrap().as_f64();
    let latitude = gga.latitude.unwrap().degrees().to_radians();
    let longitude = gga.longitude.unwrap().degrees().to_radians();
    let plane = Lambert::DATA_SET.forward(Geodetic { latitude, longitude, height });
    let g = |value| printf_g(value, 15);
    let seconds = gga.time.unwrap().since_midnight() / 1_000_000_000;
    format!(
        "{} {} {} {} {} {} {} {seconds} {} {} -1",
        g(plane.easting),
        g(plane.northing),
        g(height),
        g(latitude),
        g(longitude),
        g(height),
        gga.satellites.unwrap(),
        gga.quality.unwrap(),
        g(single(gga.hdop.unwrap()))
    )
}

#[test]
fn rows_of_the_data_set_come_out_digit_for_digit() {
    let reader = Reader::new(LOG).unwrap();
    let rows: Vec<_> = reader.records().map(|r| row(&r.unwrap().message().unwrap())).collect();
    assert_eq!(rows.len(), ROWS.len());
    rows.iter().zip(ROWS).for_each(|(found, expected)| assert_row(found, expected));
    let Some(dir) = testkit::data_dir("effibox/ipds") else { return };
    let file = std::fs::read_to_string(dir.join("Bus_InterfaceGps__dev_ttyACM0_GGA_all.txt")).unwrap();
    let columns: Vec<_> =
        file.lines().filter_map(|line| line.split_once(' ')).map(|(_, row)| row.trim_end()).collect();
    assert_eq!(columns, ROWS);
}

/// Results of PROJ 9.5.1 for latitude and longitude in degrees and height in metres: easting and northing in two
/// dimensions (EPSG:4326 to EPSG:27572), then easting, northing and height in three (EPSG:4979 to EPSG:27572 promoted
/// to 3D), by pyproj 3.7.2. The operation is the registry's with an accuracy of 2 m, "NTF to WGS 84 (1)".
type Row = (f64, f64, f64, f64, f64, f64, f64, f64);

#[rustfmt::skip]
const PROJ: &[Row] = &[
    (45.76015767, 3.109927167, 0.0, 660168.8030375978, 2084722.7542154882, 660168.8030375978, 2084722.7542154882, -43.0522663006559),
    (46.8, 2.337229166666667, 0.0, 600053.0927252446, 2200005.692990131, 600053.0927252446, 2200005.692990131, -43.45111407712102),
    (48.4, -4.8, 50.0, 72144.79371610319, 2401885.706020675, 72144.79313105671, 2401885.705969096, 1.477291502058506),
    (48.9, 8.2, 120.0, 1029743.9915541074, 2449557.799880261, 1029743.990896472, 2449557.79974939, 79.77918769977987),
    (43.7, 7.3, 10.0, 1000359.1592808722, 1867998.8302515058, 1000359.1592209083, 1867998.8302518819, -30.762137131765485),
    (51.05, 2.35, 0.0, 600951.189208456, 2673027.747015514, 600951.189208456, 2673027.747015514, -42.88612874690443),
    (43.35, -1.5, 200.0, 288552.02468184725, 1824018.0961766862, 288552.0226625385, 1824018.0962134951, 153.51903670094907),
    (42.0, 9.4, 1500.0, 1186345.934751866, 1692441.546773029, 1186345.9271371558, 1692441.547936863, 1460.3300635693595),
    (50.080580564, 0.914285638, 4126.683, 498051.92526991945, 2565885.6746259215, 498051.8881267109, 2565885.6692544217, 4082.768343423493),
    (50.45964934, 4.104964568, 3896.294, 725816.5702267808, 2608616.13603103, 725816.5411400137, 2608616.1309995777, 3854.3052997570485),
    (46.579099572, 1.674842722, 2533.869, 549286.4785929685, 2175666.043577927, 549286.4567491144, 2175666.04143572, 2489.966763577424),
    (43.969890968, 3.844723638, 3902.742, 721147.9556271285, 1886541.237890198, 721147.9259269682, 1886541.237462328, 3860.085369073786),
    (42.204885837, -1.536856457, 3227.217, 279280.5932536731, 1696817.881822178, 279280.5606605161, 1696817.8839601292, 3180.6957103200257),
    (50.106889101, -0.065798597, 1335.838, 427903.2884334448, 2570525.104309785, 427903.2757758227, 2570525.102575436, 1291.283075218089),
    (47.97643118, 0.745375292, 466.883, 481203.06323343446, 2331997.1080059274, 481203.058998409, 2331997.1074936176, 422.53169707674533),
    (43.590436639, 1.751378371, 1914.404, 552675.5522078692, 1843343.4685270363, 552675.535756743, 1843343.4685853266, 1870.3830117238685),
    (46.693392529, 4.757009833, 322.722, 785091.7221771817, 2191004.528497683, 785091.7198686711, 2191004.528222274, 280.69390509743243),
    (49.012595036, 4.987464483, 2779.778, 794013.7106864722, 2449324.230521687, 794013.6911365018, 2449324.2272012425, 2738.0835168855265),
    (50.614523271, 2.350309256, 4526.015, 600980.9856868816, 2624465.5555689437, 600980.9480584956, 2624465.5496189734, 4483.065446557477),
    (42.091232943, 4.930705329, 643.544, 815257.6848235447, 1679798.9733197126, 815257.680226048, 1679798.9737286246, 601.6295156981796),
    (47.933149822, 2.727993065, 308.698, 629253.8826267369, 2326053.239066328, 629253.8801193695, 2326053.238728804, 265.6127975387499),
    (48.508139902, 0.003659511, 3053.306, 427594.68194589764, 2392489.4613874336, 427594.6531693952, 2392489.4578360473, 3008.5274890046567),
    (41.805873903, 5.343575039, 718.398, 850717.8281473527, 1649240.4787140444, 850717.8231465748, 1649240.4792648861, 676.7532102102414),
    (43.75951502, 0.591980057, 3378.379, 459343.196694262, 1863539.9237234136, 459343.16585356114, 1863539.9236661294, 3333.532761543058),
];

#[test]
fn the_registered_projection_agrees_with_proj() {
    let (mut most, mut back) = (0.0_f64, 0.0_f64);
    for &(latitude, longitude, height, e2, n2, e3, n3, h3) in PROJ {
        let (latitude, longitude) = (latitude.to_radians(), longitude.to_radians());
        let flat = Lambert::EPSG_27572.forward(Geodetic { latitude, longitude, height: 0.0 });
        let at = Geodetic { latitude, longitude, height };
        let plane = Lambert::EPSG_27572.forward(at);
        let off = [
            flat.easting - e2,
            flat.northing - n2,
            plane.easting - e3,
            plane.northing - n3,
            plane.height - h3,
        ];
        most = off.iter().fold(most, |most, d| most.max(d.abs()));
        let inverse = Lambert::EPSG_27572.inverse(Plane { easting: e3, northing: n3, height: h3 });
        back = back.max((inverse.latitude - latitude).abs() * 6.4e6);
        back = back.max((inverse.longitude - longitude).abs() * 6.4e6);
        back = back.max((inverse.height - height).abs());
    }
    println!("{} points: {most:e} m from PROJ, {back:e} m back", PROJ.len());
    assert!(most < 1e-6 && back < 1e-6, "{most} {back}");
}

#[test]
fn the_two_differ_by_what_is_said() {
    let at = Geodetic {
        latitude: 0.798_665_417_515_059,
        longitude: 0.054_278_468_555_551_8,
        height: 460.600_012_207_031,
    };
    let ours = Lambert::DATA_SET.forward(at);
    let flat = Lambert::EPSG_27572.forward(Geodetic { height: 0.0, ..at });
    let solid = Lambert::EPSG_27572.forward(at);
    let mm = |a: f64, b: f64, want: f64| {
        let off = (a - b) * 1e3;
        assert!((off - want).abs() < 0.006, "{off} mm, not {want}");
    };
    mm(ours.easting, flat.easting, -3.68);
    mm(ours.northing, flat.northing, 1.12);
    mm(ours.easting, solid.easting, -0.016);
    mm(ours.northing, solid.northing, 1.42);
    // The height above the ellipsoid of NTF, which the tables lack.
    assert!((ours.height - 417.548).abs() < 1e-3, "{}", ours.height);
    let back = Lambert::DATA_SET.inverse(ours);
    assert!((back.latitude - at.latitude).abs() < 1e-14 && (back.longitude - at.longitude).abs() < 1e-14);
}

/// As Python's `'%.*g'` gives them, which is C's.
#[test]
fn numbers_are_printed_as_c_does() {
    for (value, precision, text) in [
        (0.0, 6, "0"),
        (-0.0, 15, "-0"),
        (1e-4, 6, "0.0001"),
        (1e-5, 6, "1e-05"),
        (0.000_099_999_95, 6, "0.0001"),
        (999_999.5, 6, "1e+06"),
        (999_999.4, 6, "999999"),
        (123_456_789.0, 6, "1.23457e+08"),
        (1e22, 15, "1e+22"),
        (1e100, 6, "1e+100"),
        (5e-324, 15, "4.94065645841247e-324"),
        (f64::MAX, 17, "1.7976931348623157e+308"),
        (0.5, 0, "0.5"),
        (2.5, 1, "2"),
        (3.5, 1, "4"),
        (100.0, 3, "100"),
        (100.0, 2, "1e+02"),
        (0.1, 20, "0.10000000000000000555"),
        (f64::INFINITY, 6, "inf"),
        (f64::NEG_INFINITY, 6, "-inf"),
        (f64::NAN, 6, "nan"),
    ] {
        assert_eq!(printf_g(value, precision), text, "{value:e} {precision}");
    }
}

/// 36 000 numbers from a generator that also ran in Python: random bits, decimals, dyadic fractions, each in six
/// precisions. The hash (FNV-1a of the lines) is of Python's text.
#[test]
fn thousands_of_numbers_are_printed_as_python_does() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let (mut hash, mut count) = (0xcbf2_9ce4_8422_2325_u64, 0);
    for i in 0..6000 {
        let (a, b) = (next(), next());
        #[expect(clippy::cast_precision_loss, reason = "below 2^53")]
        let value = match i % 3 {
            0 => Some(f64::from_bits(a)).filter(|v| v.is_finite()).unwrap_or(1.5),
            1 => (a % 2_000_000_000_001) as f64 - 1e12,
            _ => (a % 1_000_000_007) as f64 * 0.5 / (1_u64 << (b % 30)) as f64,
        };
        let value = if i % 3 == 1 { value / format!("1e{}", b % 19).parse::<f64>().unwrap() } else { value };
        for precision in [15, 12, 10, 6, 1, 17] {
            for byte in printf_g(value, precision).bytes().chain([b'\n']) {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
            }
            count += 1;
        }
    }
    assert_eq!((hash, count), (0x2bc3_8442_1cbd_5b95, 36_000));
}
