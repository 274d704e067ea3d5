import { expect, test } from 'vitest'
import { lookOfLabel } from '../units/unit-presentation.ts'
import { channelGlyph } from './channels.ts'

test('a channel that receives for a preview looks like its unit, and not like a live one', () => {
  expect(channelGlyph({ status: 'collecting', kind: 'PREVIEW_CHANNEL' })).toEqual(lookOfLabel('preview'))
  expect(channelGlyph({ status: 'collecting', kind: 'OUTPUT_CHANNEL' })).toEqual(lookOfLabel('live'))
  expect(channelGlyph({ status: 'collecting' })).toEqual(lookOfLabel('live'))
})
