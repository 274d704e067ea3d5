import type { ServerSettings } from '@backhaul/contract/nouns/servers'

type Format = ServerSettings['hotfolderOutputFormat']

/** The metadata in the published file. */
export interface PublishedTags {
  /** The name of the file. */
  readonly title: string
  /** The name of the channel. */
  readonly channel: string
  /** The time at which the file was finished. */
  readonly finishedAt: Date
}

const muxers: Readonly<Record<Format, string>> = { mp4: 'mp4', mov: 'mov', mkv: 'matroska' }

/** Picture and sound as they are, in another container; its index is in front, for readers that begin early. */
export function publishArguments(
  from: string,
  to: string,
  format: Format,
  codec: string,
  tags: PublishedTags,
): string[] {
  return [
    '-hide_banner',
    '-nostdin',
    '-nostats',
    '-v',
    'error',
    '-y',
    '-i',
    `file:${from}`,
    '-map',
    '0:v:0',
    '-map',
    '0:a?',
    '-c',
    'copy',
    ...(codec === 'hevc' && format !== 'mkv' ? ['-tag:v', 'hvc1'] : []),
    '-metadata',
    `title=${tags.title}`,
    '-metadata',
    `comment=${tags.channel}`,
    '-metadata',
    `creation_time=${tags.finishedAt.toISOString()}`,
    '-f',
    muxers[format],
    ...(format === 'mkv' ? [] : ['-movflags', '+faststart']),
    `file:${to}`,
  ]
}
