import { refusals as reasons } from '@backhaul/contract/define/refusals'
import i18next from 'i18next'
import { expect, test } from 'vitest'
import { english } from '../../texts/en/en.ts'
import { refusals, spanish } from '../../texts/es/es.ts'
import { eventWords } from './event-words.ts'

const said = [
  ['command', 'start_streaming by desk-news', 'Start, by desk-news', 'Iniciar, por desk-news'],
  [
    'command',
    'set_delay refused: Unit is busy',
    'Set delay: refused (Unit is busy)',
    'Cambiar retardo: rechazada (La unidad está ocupada)',
  ],
  ['command', 'upgrade to 9.3 pending', 'Upgrade to 9.3: pending', 'Actualización a 9.3: pendiente'],
  ['status', 'onlineToStreaming', 'Transmission started', 'Empezó a transmitir'],
  [
    'status',
    'transmission failed: The unit has no usable link',
    'The transmission does not come about (The unit has no usable link)',
    'La transmisión no se establece (La unidad no tiene ningún enlace utilizable)',
  ],
  ['status', 'live', 'Live', 'En directo'],
  [
    'status',
    'transmission ended: Every link is down',
    'Transmission ended (Every link is down)',
    'Transmisión terminada (Todos los enlaces están caídos)',
  ],
  ['alert', 'battery critical', 'Battery low: critical', 'Batería baja: crítica'],
  ['link', 'Modem 3 (Movistar) down', 'Modem 3 (Movistar) down', 'Modem 3 (Movistar) caído'],
  ['connection', 'disconnected', 'Disconnected', 'Conexión perdida'],
  ['settings', 'name, comment', 'Name, Comment', 'Nombre, Comentario'],
  [
    'settings',
    'link extender LX-7 paired',
    'Link extender LX-7 paired',
    'Extensor de enlace LX-7 emparejado',
  ],
  ['command', 'what a later core says', 'what a later core says', 'what a later core says'],
] as const

test('what happened to a unit is told in the language of the person, names as they are', async () => {
  await i18next.init({
    lng: 'en',
    resources: { en: { ...english, refusals: reasons }, es: { ...spanish, refusals } },
  })
  for (const [at, language] of (['en', 'es'] as const).entries()) {
    await i18next.changeLanguage(language)
    const t = i18next.getFixedT(language, ['units', 'alerts', 'upgrades'])
    const told = said.map(([kind, text]) => eventWords(t, { kind, text }))
    expect(told).toEqual(said.map((one) => one[at + 2]))
  }
})
