// FLV, the format in which ffmpeg reads an RTMP sender, and the codec from its first bytes.
import { messageTypes, type RtmpMessage } from './chunks.ts'

/** Sound and picture may come. */
export const flvHeader = Buffer.from([0x46, 0x4c, 0x56, 1, 5, 0, 0, 0, 9, 0, 0, 0, 0])

export function flvTag({ type, timestampMs, payload }: RtmpMessage): Buffer {
  const tag = Buffer.alloc(11 + payload.length + 4)
  tag[0] = type
  tag.writeUIntBE(payload.length, 1, 3)
  tag.writeUIntBE(timestampMs & 0xffffff, 4, 3)
  tag[7] = timestampMs >>> 24
  payload.copy(tag, 11)
  tag.writeUInt32BE(11 + payload.length, 11 + payload.length)
  return tag
}

/** Enhanced RTMP names the codec by four letters; undefined where the codec is one of the first FLV. */
export function enhancedCodec({ type, payload }: RtmpMessage): string | undefined {
  const isEnhanced = type === messageTypes.video && payload.length >= 5 && (payload[0]! & 0x80) !== 0
  return isEnhanced ? payload.toString('latin1', 1, 5).replace(/[^\w]/g, '?') : undefined
}
