import type { Alert } from '@backhaul/contract/nouns/alerts'
import { expect, test } from 'vitest'
import { newAlerts } from './alerts.ts'

const alert = (id: string): Alert => ({
  id,
  uid: 'u',
  name: 'U',
  severity: 'critical',
  type: 'battery',
  since: 0,
  value: 5,
})

test('only alerts that were not there before are new', () => {
  expect(newAlerts([alert('a')], [alert('a'), alert('b')]).map((one) => one.id)).toEqual(['b'])
})
