/** Bytes that are read in ranges. */
export interface Source {
  /** Size in bytes. */
  readonly size: number;
  /** Up to `length` bytes from byte `at` on; none only at the end. */
  read(at: number, length: number): Uint8Array;
}

export interface Options {
  /** Name of the file; of a `File`, its own. Tables of bare numbers are known by it alone. */
  name?: string;
  /** Name of the format, where it is not to be found from the bytes. */
  format?: string;
  /** The module, where it is not beside this file. */
  wasm?: WebAssembly.Module | BufferSource;
}

export interface Channel {
  name: string;
  kind: string;
  records: number;
  values: number;
  /** Records a second. */
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

/** What went wrong with a recording, in the words of the program. */
export class RecordingError extends Error {}

/** A recording. Its methods block until they are done: in a browser, call them in a worker. `progress` gets the position
 * in the recording in bytes; what it throws ends the reading. */
export interface Recording {
  /** Size in bytes. */
  readonly size: number;
  info(progress?: (position: number) => void): Info;
  check(progress?: (position: number) => void): Check;
  /** One self-contained HTML page, of two passes over the recording. */
  report(progress?: (position: number) => void): string;
}

/** Takes a recording. In a worker a `Blob` is read in ranges; elsewhere in a browser it is held in memory. */
export function open(from: ArrayBuffer | ArrayBufferView | Blob | Source, options?: Options): Promise<Recording>;
