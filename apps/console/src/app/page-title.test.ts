import { expect, test } from 'vitest'
import { pageTitle } from './page-title.ts'

test('[SHELL-008] the title is the last part of the path in words, abbreviations kept', () => {
  expect(pageTitle('/unit/list')).toBe('List - Backhaul')
  expect(pageTitle('/manage/sw_version')).toBe('SW Version - Backhaul')
  expect(pageTitle('/contractor/entities/mmh_servers')).toBe('MMH Servers - Backhaul')
  expect(pageTitle('/psg/system_entities/vrChannels')).toBe('VR Channels - Backhaul')
  expect(pageTitle('/psg/system_settings/ai_settings')).toBe('AI Settings - Backhaul')
  expect(pageTitle('/')).toBe('Backhaul')
})
