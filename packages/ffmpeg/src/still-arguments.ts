import { type Picture, pixelFormat } from './sources.ts'

/** Stills are at most this wide. */
const stillWidth = 640

/** Raw frames on standard input, one now and then, each to a JPEG file on standard output as soon as it is read. */
export function stillArguments(picture: Picture): string[] {
  return [
    '-hide_banner',
    '-nostdin',
    '-nostats',
    '-v',
    'warning',
    '-threads',
    '1',
    '-filter_threads',
    '1',
    '-probesize',
    '32',
    '-analyzeduration',
    '0',
    '-f',
    'rawvideo',
    '-pix_fmt',
    pixelFormat(picture),
    '-video_size',
    `${picture.width}x${picture.height}`,
    '-framerate',
    '1',
    '-i',
    'pipe:0',
    '-vf',
    `scale=w='min(${stillWidth},iw)':h=-2:out_range=pc,format=yuvj420p`,
    '-vsync',
    'passthrough',
    '-threads',
    '1',
    '-c:v',
    'mjpeg',
    '-q:v',
    '6',
    '-flush_packets',
    '1',
    '-f',
    'image2pipe',
    'pipe:1',
  ]
}
