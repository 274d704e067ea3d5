import { refusals as reasons } from '@backhaul/contract/define/refusals/all'
import { englishOfEvent, unitEvent } from '@backhaul/contract/nouns/unit-events'
import i18next from 'i18next'
import { expect, test } from 'vitest'
import { english } from '../../texts/en/en.ts'
import { spanish } from '../../texts/es/es.ts'
import { refusals } from '../../texts/es/first-texts.ts'
import { eventText } from './event-texts.ts'

const events = [
  [
    unitEvent('command.requested', { name: 'start_streaming', by: 'desk-news' }),
    'start_streaming by desk-news',
    'Start, by desk-news',
    'Iniciar, por desk-news',
  ],
  [
    unitEvent('command.refused', { name: 'set_delay' }, 'unit.busy'),
    'set_delay refused: Unit is busy.',
    'Set delay: refused. Unit is busy.',
    'Cambiar retardo: rechazada. La unidad está ocupada.',
  ],
  [
    unitEvent('upgrade.pending', { version: '9.3' }),
    'upgrade to 9.3 pending',
    'Upgrade to 9.3: pending',
    'Actualización a 9.3: pendiente',
  ],
  [
    unitEvent('status.onlineToStreaming', {}),
    'onlineToStreaming',
    'Transmission started',
    'Empezó a transmitir',
  ],
  [
    unitEvent('status.changed', { status: 'transparent_bridge' }),
    'status transparent_bridge',
    'Databridge started',
    'Empezó el Databridge',
  ],
  [
    unitEvent('transmission.failed', {}, 'unit.noLink'),
    'transmission failed: The unit has no usable link.',
    'The transmission could not start. The unit has no usable link.',
    'La transmisión no se establece. La unidad no tiene ningún enlace utilizable.',
  ],
  [
    unitEvent('transmission.ended', {}, { message: 'The lid is open' }),
    'transmission ended: The lid is open',
    'Transmission ended. The lid is open',
    'Transmisión terminada. The lid is open',
  ],
  [
    unitEvent('transmission.notMoved', {}, 'transmission.newReceiverSilent'),
    `remains on its channel: ${reasons['transmission.newReceiverSilent']}`,
    `Remains on its channel. ${reasons['transmission.newReceiverSilent']}`,
    `Conserva su canal. ${refusals['transmission.newReceiverSilent']}`,
  ],
  [
    unitEvent('transmission.inSoftware', { camera: 2 }, { message: 'The lid is open' }),
    'camera 2 encoded in software: The lid is open',
    'Camera 2 is encoded in software. The lid is open',
    'La cámara 2 se codifica por software. The lid is open',
  ],
  [
    unitEvent('alert.critical', { type: 'battery' }),
    'battery critical',
    'Battery low: critical',
    'Batería baja: crítica',
  ],
  [
    unitEvent('link.down', { link: 'Modem 3 (Movistar)' }),
    'Modem 3 (Movistar) down',
    'Modem 3 (Movistar) down',
    'Modem 3 (Movistar) caído',
  ],
  [
    unitEvent('connection.twin', { address: '192.0.2.7' }),
    'Another machine at 192.0.2.7 uses this identity and was refused',
    'Another machine at 192.0.2.7 uses this identity and was refused.',
    refusals['device.twin'].replace('{{address}}', '192.0.2.7'),
  ],
  [unitEvent('settings.name', {}), 'name', 'Name', 'Nombre'],
  [
    unitEvent('extender.paired', { serialNumber: 'LX-7' }),
    'link extender LX-7 paired',
    'Link extender LX-7 paired',
    'Extensor de enlace LX-7 emparejado',
  ],
] as const

test('an event is read in the language of the user, names as they are', async () => {
  await i18next.init({
    lng: 'en',
    resources: { en: { ...english, refusals: reasons }, es: { ...spanish, refusals } },
    interpolation: { escapeValue: false },
  })
  for (const [at, language] of (['en', 'es'] as const).entries()) {
    await i18next.changeLanguage(language)
    const t = i18next.getFixedT(language, ['units', 'alerts', 'upgrades'])
    expect(events.map(([what]) => eventText(t, { text: '', what }))).toEqual(events.map((one) => one[at + 2]))
    const text = 'what an earlier core wrote'
    expect(eventText(t, { text })).toBe(text)
    const later = { code: 'unit.flew', params: {}, reason: null }
    expect(eventText(t, { text: 'the unit flew', what: later })).toBe('the unit flew')
  }
})

test('other clients read an event in English', () => {
  expect(events.map(([what]) => englishOfEvent(what))).toEqual(events.map(([, text]) => text))
})
