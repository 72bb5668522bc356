/** Sines and arc tangents differ in their last bit between C libraries: numbers written with all digits show it. */
export function alike(one, other) {
  const number = /(-?\d+\.\d{9,})/;
  const [a, b] = [one.split(number), other.split(number)];
  const near = (x, y) => Math.abs(x - y) <= 1e-12 * Math.max(1, Math.abs(x));
  return a.length === b.length && a.every((text, n) => text === b[n] || (n % 2 === 1 && near(+text, +b[n])));
}

/** The reproducible part of a target's file: without the creation day of a LAS file, and without the end of a Parquet
 * file, which has the schema in Arrow's words where the program knows them. */
export function stable(to, bytes) {
  if (to === "parquet") return bytes.subarray(0, bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8));
  if (to !== "las" && to !== "laz") return bytes;
  const undated = Buffer.from(bytes);
  undated.fill(0, 90, 94);
  return undated;
}
