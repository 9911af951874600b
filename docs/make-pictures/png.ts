/** Makes screenshots small: a PNG with a palette of 256 colours, which is plenty for a page of text. */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The same picture with at most 256 colours: the most frequent ones, and for the others the nearest of those. */
export function withPalette(png: Buffer): Buffer {
  const { width, height, colours } = decode(png);
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = [...counts].sort(([, a], [, b]) => b - a).map(([colour]) => colour);
  const indexOf = new Map(palette.slice(0, 256).map((colour, index) => [colour, index]));
  for (const colour of palette.slice(256)) indexOf.set(colour, nearest(colour, palette));
  const rows = Buffer.alloc(height * (width + 1));
  colours.forEach((colour, pixel) => {
    rows[pixel + Math.floor(pixel / width) + 1] = indexOf.get(colour) ?? 0;
  });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const entries = Buffer.from(palette.slice(0, 256).flatMap(partsOf));
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('PLTE', entries),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const partsOf = (colour: number) => [colour >> 16, (colour >> 8) & 255, colour & 255];

/** The index of the most similar of the first 256 colours. */
function nearest(colour: number, palette: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = partsOf(colour);
  const distances = palette.slice(0, 256).map((other) => {
    const [r = 0, g = 0, b = 0] = partsOf(other);
    return (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
  });
  return distances.indexOf(Math.min(...distances));
}

interface Pixels {
  width: number;
  height: number;
  /** As 0xRRGGBB, row by row. */
  colours: Uint32Array;
}

/** Reads a screenshot of Chromium: 8 bits a channel, opaque, not interlaced. */
function decode(png: Buffer): Pixels {
  const data: Buffer[] = [];
  let head: Buffer = Buffer.alloc(13);
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') head = body;
    if (type === 'IDAT') data.push(body);
    at += length + 12;
  }
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const channels = { 2: 3, 6: 4 }[head[9] ?? 0];
  if (channels === undefined || head[8] !== 8 || head[12] !== 0)
    throw new Error('This is not a screenshot of Chromium.');
  const bytes = unfiltered(inflateSync(Buffer.concat(data)), width * channels, height, channels);
  const colours = new Uint32Array(width * height);
  for (let pixel = 0; pixel < colours.length; pixel++) colours[pixel] = bytes.readUIntBE(pixel * channels, 3);
  return { width, height, colours };
}

/** Takes the filters of PNG away, which write each byte as a difference from its neighbours. */
function unfiltered(filtered: Buffer, stride: number, height: number, step: number): Buffer {
  const bytes = Buffer.alloc(stride * height);
  for (let row = 0; row < height; row++) {
    const filter = filtered[row * (stride + 1)];
    const start = row * stride;
    for (let index = 0; index < stride; index++) {
      const left = index < step ? 0 : (bytes[start + index - step] ?? 0);
      const up = row === 0 ? 0 : (bytes[start + index - stride] ?? 0);
      const corner = index < step || row === 0 ? 0 : (bytes[start + index - stride - step] ?? 0);
      const guesses = [0, left, up, (left + up) >> 1, paeth(left, up, corner)];
      bytes[start + index] = (filtered[row * (stride + 1) + 1 + index] ?? 0) + (guesses[filter ?? 0] ?? 0);
    }
  }
  return bytes;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

function chunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(body.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
}
