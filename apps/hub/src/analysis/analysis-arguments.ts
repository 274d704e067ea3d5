/** Stills are at most this wide. */
const STILL_WIDTH = 480
/** Sound is measured over pieces of this many samples at 48 kHz: five a second. */
const SAMPLES_PER_LEVEL = 9600
/** Small, so that coding noise averages out and only real change is left. */
const COMPARED_SIZE = '96:54'

/**
 * One ffmpeg that decodes nothing but key frames and sound: transport stream on standard input, JPEG pictures on
 * standard output, measured figures as lines of `key=value` on descriptor 3.
 */
export function analysisArguments(has: { video: boolean; audioTracks: number }): string[] {
  return [
    '-hide_banner',
    '-nostdin',
    '-nostats',
    '-v',
    'error',
    '-threads',
    '1',
    '-filter_threads',
    '1',
    '-skip_frame',
    'nokey',
    '-probesize',
    '500000',
    '-analyzeduration',
    '500000',
    '-f',
    'mpegts',
    '-i',
    'pipe:0',
    ...(has.video ? pictureArguments : []),
    ...(has.audioTracks > 0 ? soundArguments(has.audioTracks) : []),
  ]
}

// `direct` writes each line immediately and whole, so that picture and sound can share the descriptor.
const onSide = "print:file='pipe\\:3':direct=1"

const pictureArguments = [
  '-map',
  '0:v:0',
  '-vf',
  `scale=w='min(${STILL_WIDTH},iw)':h=-2:out_range=pc,format=yuvj420p,split[still][compared];` +
    `[compared]scale=${COMPARED_SIZE}:flags=area,signalstats,metadata=${onSide},nullsink;[still]null`,
  '-vsync',
  'passthrough',
  '-c:v',
  'mjpeg',
  '-q:v',
  '6',
  '-f',
  'image2pipe',
  'pipe:1',
]

const measuring =
  `aresample=48000,asetnsamples=n=${SAMPLES_PER_LEVEL}:p=0,` +
  'astats=metadata=1:reset=1:measure_perchannel=Peak_level+RMS_level:measure_overall=none,' +
  `ametadata=${onSide}`

/** The channels of all tracks, one after the other. */
function soundArguments(tracks: number): string[] {
  const output = ['-f', 'null', '-']
  if (tracks === 1) return ['-map', '0:a:0', '-af', measuring, ...output]
  const all = Array.from({ length: tracks }, (_, track) => `[0:a:${track}]`).join('')
  const graph = `${all}amerge=inputs=${tracks},${measuring}[measured]`
  return ['-filter_complex', graph, '-map', '[measured]', ...output]
}
