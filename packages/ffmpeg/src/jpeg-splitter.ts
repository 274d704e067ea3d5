const startOfImage = Buffer.from([0xff, 0xd8, 0xff])
const endOfImage = Buffer.from([0xff, 0xd9])
/** Larger than any still; longer data is not a JPEG file. */
const LONGEST_BYTES = 4 << 20

/** Cuts a stream of JPEG files, one behind the other, into files (ffmpeg's image2pipe writes no thumbnails inside). */
export function createJpegSplitter(onJpeg: (jpeg: Buffer) => void): { push(chunk: Buffer): void } {
  let rest: Buffer = Buffer.alloc(0)
  return {
    push(chunk) {
      rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      for (;;) {
        const start = rest.indexOf(startOfImage)
        const end = start < 0 ? -1 : rest.indexOf(endOfImage, start)
        if (end < 0) break
        onJpeg(Buffer.from(rest.subarray(start, end + endOfImage.length)))
        rest = rest.subarray(end + endOfImage.length)
      }
      if (rest.length > LONGEST_BYTES) rest = Buffer.alloc(0)
    },
  }
}
