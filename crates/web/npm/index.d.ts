/** Bytes read in ranges. */
export interface Source {
  /** Size in bytes. */
  readonly size: number;
  /** Up to `length` bytes from byte `at`; none only at the end. */
  read(at: number, length: number): Uint8Array;
}

export interface Options {
  /** Name of the file; of a `File`, its own. Tables of bare numbers are only recognised by it. */
  name?: string;
  /** Name of the format; by default detected from the bytes. */
  format?: string;
  /** The module, if not next to this file. */
  wasm?: WebAssembly.Module | BufferSource;
}

export interface Channel {
  name: string;
  kind: string;
  records: number;
  values: number;
  /** Records per second. */
  rate_hz: number | null;
  /** Nanoseconds; exact below 2^53. */
  start_ns: number | null;
  end_ns: number | null;
}

/** What `robolog info --json` prints. */
export interface Info {
  format: string;
  variant: string | null;
  path: string;
  bytes: number;
  records: number;
  complete: boolean;
  lost_bytes: number;
  clock: string;
  /** Nanoseconds; exact below 2^53. */
  start_ns: number | null;
  end_ns: number | null;
  /** Seconds. */
  duration_s: number | null;
  channels: Channel[];
  tables: { channels: string[]; columns: { name: string; type: string; unit: string | null }[] }[];
  warnings: { offset: number | null; message: string }[];
  details: unknown;
}

/** What `robolog check --json` prints. */
export interface Check {
  format: string;
  path: string;
  ok: boolean;
  findings: Record<string, unknown>[];
}

/** What `robolog events --json` prints of an event. */
export interface Event {
  /** Seconds from the start of the recording. */
  t: number | null;
  /** Nanoseconds; exact below 2^53. The same for a moment. */
  t_ns: number;
  end_ns: number;
  /** Such as `contact`, `gap` or `gnss_lost`. */
  kind: string;
  /** Whom it happened to: an actor, a vehicle or a channel. */
  subject: string;
  /** The other one of a pair. */
  other: string | null;
  /** How much, in `unit`. */
  value: number | null;
  unit: string;
  text: string;
}

// From the table of options:
/** Bounds in the words of `--start` and `--end`: seconds from the start such as `12.5`, `-30s` from the end, RFC 3339, or
 * `@1726588075.5`, seconds of Unix time. */
export interface Part {
  /** Start at this time: 2024-09-17T15:47:55Z, @1750223328.5 (Unix seconds), 10s or 2m30s from the start, -30s from the end. */
  start?: string;
  /** End before this time. */
  end?: string;
}

/** How messages are written. MCAP is not compressed. */
export interface Messages {
  /** Write ROS 2 messages into MCAP, or Foxglove's, which programs without ROS read too. */
  schema?: "ros2" | "foxglove";
}

/** What becomes of points. */
export interface Points {
  /** Keep the points of shots without a return, which LiDARs put at their own origin; in LAS, LAZ and COPC they are withheld. Without this, LAS, LAZ, COPC, E57, PLY, PCD and XYZ leave them out. */
  keepNoReturns?: boolean;
}

/** Changes of a copy. */
export interface Changes {
  /** Make all times later by 1.5, 1.5s or 2m30s; earlier by -1.5s. In nanoseconds. */
  shift_ns?: number;
  /** Rename channels that match a glob; 'NAV_*=GPS_*' keeps what the star matches. Names are whole: there are no wildcards. */
  rename?: Record<string, string>;
  /** Leave out channels that match a glob. Names are whole: there are no wildcards. */
  drop?: string[];
}

// Until here.

export interface Writing {
  /** Called with the position in the recording in bytes; an exception stops the work. */
  progress?: (position: number) => void;
  /** Takes bytes of the file for byte `at`: mostly sequential, some rewritten later. The bytes are valid
   * during the call. Without it the file is in memory. */
  write?: (at: number, bytes: Uint8Array) => void;
}

export interface Count {
  samples: number;
  /** Points of clouds, ranges of scans; for a copy, changed records. */
  values: number;
}

/** The result of a conversion or copy. */
export interface Written {
  /** The usual extension of the file. */
  extension: string;
  /** Whether the file contains everything that was asked for. */
  complete: boolean;
  /** By kind of sample; for a copy, under `record`. */
  written: Record<string, Count>;
  /** Samples the target cannot hold. */
  left_out: Record<string, Count>;
  /** The first faults of the recording. */
  damage: { offset: number; message: string }[];
  /** Number of faults. */
  damages: number;
  lost_bytes: number;
  notes: string[];
  /** The file, if no `write` was given. */
  file?: Uint8Array;
}

/** One-file targets. */
export type Target =
  | "csv" | "geojson" | "gpx" | "jsonl" | "kml" | "kmz" | "las" | "laz" | "mcap" | "parquet" | "pcd" | "ply";

export interface Sample {
  /** Byte offset of the record in the file. */
  offset: number;
  /** Nanoseconds on `clock`. */
  time_ns: bigint | null;
  clock: string | null;
  channel: string;
  kind: string;
  frame_id: string;
  /** What the recording says of the channel as a whole, such as the name of a track; absent if it says nothing. */
  attributes?: Record<string, string>;
  /** As `robolog cat` prints it; values with columns are only in `columns`. */
  value: unknown;
  /** Of a point cloud `x`, `y`, `z` in metres and what else it has; of a laser scan `ranges` and `intensities`; of an image
   * `data`. They are copies, and stay valid. */
  columns: Record<string, Float32Array | Uint32Array | Uint16Array | Uint8Array>;
}

/** An error about a recording, worded as by the program. */
export class RecordingError extends Error {}

/** A recording. Its methods block until they are done: in a browser, call them in a worker. `progress` gets the position
 * in the recording in bytes; what it throws ends the reading. */
export interface Recording {
  /** Size in bytes. */
  readonly size: number;
  info(progress?: (position: number) => void): Info;
  check(progress?: (position: number) => void): Check;
  /** What happened, in order of time; may need two passes over the recording. */
  events(progress?: (position: number) => void): Event[];
  /** One self-contained HTML page; needs two passes over the recording. */
  report(progress?: (position: number) => void): string;
  /** The file that `robolog convert` writes; MCAP is not compressed and has ROS 2 messages unless `schema` is `foxglove`.
   * Files of points leave out shots without a return unless `keepNoReturns`; LAS then marks them as withheld. */
  convert(to: Target, how?: Writing & Part & Messages & Points): Written;
  /** The records of a time range, byte for byte. */
  cut(how?: Writing & Part): Written;
  /** Every complete record, skipping damage. */
  recover(how?: Writing): Written;
  /** A copy with changed times or channels, if the format supports it. */
  edit(how?: Writing & Changes): Written;
  /** Samples in order, skipping damage; returns the number of faults. Bounds are dates. */
  samples(how?: Part & { progress?: (position: number) => void }): Generator<Sample, number>;
}

/** Opens a recording. In a worker a `Blob` is read in ranges; elsewhere in a browser it is held in memory. */
export function open(from: ArrayBuffer | ArrayBufferView | Blob | Source, options?: Options): Promise<Recording>;
