//! Columns as Arrow arrays.

use std::{mem, sync::Arc};

use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BinaryArray, BooleanArray, ListArray, NullArray, PrimitiveArray,
    StringArray,
    types::{Float32Type, Float64Type, Int32Type, Int64Type, TimestampMicrosecondType},
};
use arrow_buffer::{
    ArrowNativeType, BooleanBuffer, BooleanBufferBuilder, NullBuffer, OffsetBuffer, ScalarBuffer,
};
use arrow_schema::ArrowError;

use robolog_core::slices::Part as _;

use super::Spelled;
use crate::{
    columns::{Column, Data, Lists, Names, Type, element},
    runs::Runs,
};

/// Takes the values out of a column.
pub(super) fn array(column: &mut Column, rows: usize, spare: &mut Spelled) -> Result<ArrayRef, ArrowError> {
    let valid = &column.valid;
    let nulls = nulls(valid, rows);
    Ok(match &mut column.data {
        Data::Bool(values) => {
            let values = BooleanBuffer::from(spread(mem::take(values), valid));
            Arc::new(BooleanArray::new(values, nulls))
        }
        Data::Int(values) => numbers::<Int64Type>(values, valid, nulls)?,
        Data::Small(values) => numbers::<Int32Type>(values, valid, nulls)?,
        Data::Float(values) => numbers::<Float64Type>(values, valid, nulls)?,
        Data::Single(values) => numbers::<Float32Type>(values, valid, nulls)?,
        Data::Micros(values) => {
            let values = ScalarBuffer::from(spread(mem::take(values), valid));
            Arc::new(PrimitiveArray::<TimestampMicrosecondType>::try_new(values, nulls)?.with_timezone("UTC"))
        }
        Data::Text(Lists { values, ends }) if column.kind == Type::Geometry => {
            Arc::new(BinaryArray::try_new(offsets(ends, valid)?, mem::take(values).into(), nulls)?)
        }
        Data::Text(Lists { values, ends }) => {
            Arc::new(StringArray::try_new(offsets(ends, valid)?, mem::take(values).into(), nulls)?)
        }
        Data::Name(names) => spelled(names, valid, nulls, mem::take(spare))?,
        Data::Bytes(values) => {
            let ends: Vec<_> = values
                .iter()
                .scan(0_usize, |end, bytes| {
                    *end += bytes.len();
                    Some(*end)
                })
                .collect();
            let all = mem::take(values).concat();
            Arc::new(BinaryArray::try_new(offsets(&ends, valid)?, all.into(), nulls)?)
        }
        Data::Nothing => Arc::new(NullArray::new(rows)),
        Data::Singles(Lists { values, ends }) => {
            let values = PrimitiveArray::<Float32Type>::try_new(mem::take(values).into(), None)?;
            Arc::new(ListArray::try_new(element(), offsets(ends, valid)?, Arc::new(values), nulls)?)
        }
    })
}

fn numbers<T: ArrowPrimitiveType>(
    values: &mut Vec<T::Native>,
    valid: &Runs<bool>,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ArrowError> {
    let values = ScalarBuffer::from(spread(mem::take(values), valid));
    Ok(Arc::new(PrimitiveArray::<T>::try_new(values, nulls)?))
}

/// `None` when all rows have a value.
fn nulls(valid: &Runs<bool>, rows: usize) -> Option<NullBuffer> {
    if valid.iter().all(|(has, _)| has) {
        return None;
    }
    let mut bits = BooleanBufferBuilder::new(rows);
    for (has, count) in valid.iter() {
        bits.append_n(count, has);
    }
    Some(NullBuffer::new(bits.finish()))
}

/// One value per row; the default where a row has none.
fn spread<T: Copy + Default>(values: Vec<T>, valid: &Runs<bool>) -> Vec<T> {
    if valid.iter().all(|(has, _)| has) {
        return values;
    }
    let (mut all, mut at) = (Vec::new(), 0_usize);
    for (has, count) in valid.iter() {
        if has {
            let end = at + count;
            all.extend_from_slice(values.part(at..end));
            at = end;
        } else {
            all.resize(all.len() + count, T::default());
        }
    }
    all
}

/// List offsets of the rows; rows without a value have empty lists.
fn offsets(ends: &[usize], valid: &Runs<bool>) -> Result<OffsetBuffer<i32>, ArrowError> {
    let mut ends = ends.iter();
    let mut last = 0_i32;
    let mut all = vec![last];
    for (has, count) in valid.iter() {
        for _ in 0..count {
            if has && let Some(end) = ends.next() {
                last = i32::from_usize(*end)
                    .ok_or_else(|| ArrowError::InvalidArgumentError("more than 2 GiB in a batch".into()))?;
            }
            all.push(last);
        }
    }
    Ok(OffsetBuffer::new(all.into()))
}

/// The name of each row.
fn spelled(
    names: &Names,
    valid: &Runs<bool>,
    nulls: Option<NullBuffer>,
    (mut ends, mut values): Spelled,
) -> Result<ArrayRef, ArrowError> {
    values.clear();
    ends.clear();
    ends.push(0);
    let mut runs = names.runs.iter();
    let mut run = (0_usize, 0_usize);
    for (has, rows) in valid.iter() {
        let mut left = rows;
        while left > 0 {
            if has && run.1 == 0 {
                run = runs.next().unwrap_or((usize::MAX, left));
            }
            let count = if has { left.min(run.1) } else { left };
            let name =
                if has { names.names.list.get(run.0).map_or(&[][..], |name| name.as_bytes()) } else { &[] };
            repeat(name, count, &mut ends, &mut values)?;
            run.1 -= if has { count } else { 0 };
            left -= count;
        }
    }
    Ok(Arc::new(StringArray::try_new(OffsetBuffer::new(ends.into()), values.into(), nulls)?))
}

/// Appends a name `count` times.
fn repeat(name: &[u8], count: usize, ends: &mut Vec<i32>, values: &mut Vec<u8>) -> Result<(), ArrowError> {
    let first = values.len();
    let end = name.len().saturating_mul(count).saturating_add(first);
    let too_long = || ArrowError::InvalidArgumentError("more than 2 GiB in a batch".into());
    i32::from_usize(end).ok_or_else(too_long)?;
    let (len, start) = (i32::usize_as(name.len()), i32::usize_as(first));
    values.extend_from_slice(if count > 0 { name } else { &[] });
    while values.len() < end {
        let there = (values.len() - first).min(end - values.len());
        values.extend_from_within(first..first + there);
    }
    let mut last = start;
    ends.extend(
        std::iter::repeat_with(|| {
            last += len;
            last
        })
        .take(count),
    );
    Ok(())
}
