//! `lvx_columns FILE`: reads all points as columns, and prints their number and the sum of each column.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_precision_loss,
    clippy::print_stdout,
    reason = "sums for a person to read"
)]

use std::error::Error;

use robolog_core::Value;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: lvx_columns FILE")?;
    let (mut points, mut sums) = (0, [0.0; 5]);
    for sample in lvx::open(path)?.samples() {
        let Value::PointCloud(cloud) = sample?.value else { continue };
        points += cloud.len();
        let columns = [sum(&cloud.x), sum(&cloud.y), sum(&cloud.z), sum(&cloud.intensity)];
        for (total, column) in sums.iter_mut().zip(columns) {
            *total += column;
        }
        sums[4] += cloud.tag.iter().map(|tag| u64::from(*tag)).sum::<u64>() as f64;
    }
    println!("{points} points, sums {sums:?}");
    Ok(())
}

/// The sum, eight at a time.
fn sum(column: &[f32]) -> f64 {
    let (eights, rest) = column.as_chunks::<8>();
    let mut sums = [0.0_f32; 8];
    for eight in eights {
        for (sum, value) in sums.iter_mut().zip(eight) {
            *sum += value;
        }
    }
    sums.iter().chain(rest).map(|value| f64::from(*value)).sum()
}
