// The codecs that a sender offers in its session description (RFC 8866): whether the hub can receive them.

export interface OfferedMedia {
  readonly video: boolean
  readonly audio: boolean
}

const wantedCodecs = { video: 'h264/90000', audio: 'opus/48000/2' } as const

/** The media that it will send. Undefined when it sends none, or one with codecs that the hub does not receive. */
export function receivableMedia(offer: string): OfferedMedia | undefined {
  const sections = offer.split(/^m=/m).slice(1)
  const of = (kind: 'video' | 'audio') => sections.filter((section) => section.startsWith(`${kind} `))
  const isReceivable = (kind: 'video' | 'audio') =>
    of(kind).every((section) => codecsOf(section).includes(wantedCodecs[kind]))
  if (!isReceivable('video') || !isReceivable('audio')) return undefined
  const media = { video: of('video').length > 0, audio: of('audio').length > 0 }
  return media.video || media.audio ? media : undefined
}

const codecsOf = (section: string): string[] =>
  [...section.matchAll(/^a=rtpmap:\d+ (\S+)/gm)].map(([, codec = '']) => codec.toLowerCase())
