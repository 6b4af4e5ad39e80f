/**
 * The bytes of a ledger's file, decompressed. The browser's own decompression is about four times as fast as one in
 * JavaScript, but it refuses a file of several gzip members, as `cat a.gz b.gz` and `bgzip` make it. So a file that it
 * refuses is read once more in JavaScript, whose errors are clearer, too.
 */
import { Gunzip } from 'fflate';

export type Compression = 'none' | 'gzip' | 'members';

/** An error of the compressed file, not of the ledger in it. */
export class FileFault extends Error {}

export async function compressionOf(file: Blob): Promise<Compression> {
  const start = await file
    .slice(0, 6)
    .arrayBuffer()
    .then((bytes) => new Uint8Array(bytes))
    .catch(() => {
      throw new FileFault('The browser cannot read it. Is it a folder, or was it changed after you chose it?');
    });
  const begins = (...bytes: number[]) => bytes.every((byte, index) => start[index] === byte);
  const other = begins(0x28, 0xb5, 0x2f, 0xfd)
    ? 'zstd'
    : begins(0x42, 0x5a, 0x68)
      ? 'bzip2'
      : begins(0xfd, 0x37, 0x7a, 0x58, 0x5a)
        ? 'xz'
        : begins(0x50, 0x4b, 3, 4)
          ? 'zip'
          : undefined;
  if (other) {
    const program = other === 'zip' ? 'unzip' : `${other} -d`;
    throw new FileFault(
      `The file is compressed with ${other}, which this page does not read. Decompress it first (${program}), or compress it with gzip.` +
        (other === 'zstd' ? ' The program “sortid ledger verify” reads it as it is.' : ''),
    );
  }
  if (begins(0xff, 0xfe) || begins(0xfe, 0xff)) {
    throw new FileFault(
      'The file is text in UTF-16, as PowerShell writes it. Convert it to UTF-8: iconv -f UTF-16 -t UTF-8.',
    );
  }
  return begins(0x1f, 0x8b) ? 'gzip' : 'none';
}

/** The decompressed bytes. `read` gets the number of bytes of the file that were read. */
export async function* chunksOf(
  file: Blob,
  compression: Compression,
  read: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  const counted = file.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        read((bytes += chunk.length));
        controller.enqueue(chunk);
      },
    }),
  );
  if (compression === 'members') return yield* members(counted);
  const stream = compression === 'gzip' ? counted.pipeThrough(new DecompressionStream('gzip')) : counted;
  const reader = stream.getReader();
  try {
    for (;;) {
      let next;
      try {
        next = await reader.read();
      } catch (error) {
        if (compression === 'gzip' && error instanceof TypeError) throw new FileFault(error.message);
        throw new Error(`The browser cannot read the file: ${(error as Error).message}`);
      }
      if (next.done) return;
      yield next.value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

async function* members(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  let out: Uint8Array[] = [];
  let crc = -1;
  let length = 0;
  const ends: { at: number; crc: number; length: number }[] = [];
  const end = (at: number) => {
    ends.push({ at, crc: ~crc >>> 0, length: length >>> 0 });
    crc = -1;
    length = 0;
  };
  // The last bytes that were pushed, and the offset of the byte after them.
  let recent = new Uint8Array();
  let pushed = 0;
  const gunzip = new Gunzip((chunk) => {
    if (chunk.length === 0) return;
    for (let index = 0; index < chunk.length; index++) crc = CRC_TABLE[(crc ^ chunk[index]!) & 255]! ^ (crc >>> 8);
    length += chunk.length;
    out.push(chunk);
  });
  // The offset is the beginning of the next member.
  gunzip.onmember = end;
  const push = (chunk: Uint8Array, isLast: boolean) => {
    try {
      gunzip.push(chunk, isLast);
    } catch (error) {
      const { message } = error as Error;
      throw new FileFault(
        /unexpected EOF/i.test(message)
          ? 'The compressed file ends too early: its end is missing. Copy it again from where it came.'
          : `The compressed file is damaged (${message}). Copy it again from where it came.`,
      );
    }
  };
  const reader = stream.getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      // Small pieces, because a piece can become a thousand times as large.
      for (let at = 0; at < (value?.length ?? 1); at += 65_536) {
        const piece = value?.subarray(at, at + 65_536) ?? new Uint8Array();
        push(piece, done);
        const before = recent.subarray(-8);
        recent = new Uint8Array(before.length + piece.length);
        recent.set(before);
        recent.set(piece, before.length);
        pushed += piece.length;
        if (done) end(pushed);
        for (const { at, crc, length } of ends.splice(0)) {
          const till = recent.length - (pushed - at);
          checkTrailer(recent.subarray(Math.max(0, till - 8), till), crc, length);
        }
        for (const chunk of out) yield chunk;
        out = [];
      }
      if (done) return;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** Each member ends with the CRC-32 and the length of its content. The library does not check them. */
function checkTrailer(bytes: Uint8Array, crc: number, length: number): void {
  const trailer = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (trailer.byteLength < 8 || trailer.getUint32(0, true) !== crc || trailer.getUint32(4, true) !== length) {
    throw new FileFault(
      'The compressed file is damaged, or its end is missing: its content does not match its checksum. Copy it again from where it came.',
    );
  }
}
