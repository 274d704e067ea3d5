/** The colour depth of a real agent: with H.264 it has 8 bits, so that a second one encodes H.265. */
import { probeFfmpeg } from '@backhaul/ffmpeg/find'
import { until } from '../stage/until.ts'
import { patienceMs } from './shared-cases.ts'
import { startUnitUnderTest, type UnitUnderTest } from './unit-under-test.ts'
import type { Look } from './verdicts.ts'

export const sendsTenBits: Look<UnitUnderTest> = async ({ ffmpegPath, actual }) => {
  if (actual().settings?.colorDepth !== undefined) throw new Error('it claims 10 bits of H.264')
  const { tenBits } = await probeFfmpeg(ffmpegPath, ['tenBits'])
  if (!tenBits) return { absent: 'the ffmpeg of this machine encodes no H.265 of 10 bits' }
  const unit = await startUnitUnderTest(ffmpegPath, {
    BACKHAUL_CODEC: 'h265',
    BACKHAUL_CODER: 'software',
  })
  try {
    return await unit.withSettings({ colorDepth: '10-bit/HDR' }, async () => {
      await unit.goOnAir()
      const isDeep = async () => /Video: hevc \(Main 10\).*yuv420p10le/.test(await unit.first.described())
      await until('a picture of 10 bits', isDeep, patienceMs)
      await unit.goOffAir()
      return 'with H.265 the picture has 10 bits'
    })
  } finally {
    await unit.stop()
  }
}
