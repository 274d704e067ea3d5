// The texts of the unit's own page, in English and Spanish.

export type Language = 'en' | 'es'

/** `{time}`, `{rate}` and the like are replaced. */
export interface PageTexts {
  onAir: string
  cameras: string
  camera: string
  noPicture: string
  intercom: string
  noHeadset: string
  line: string
  lineState: Record<'idle' | 'connecting' | 'connected', string>
  modes: Record<'audioRoom' | 'targetChannel', string>
  room: string
  headset: string
  headsetWithoutMicrophone: string
  noHeadsetOnLine: string
  /** Waiting is one that opens when its line is connected. */
  microphone: Record<'none' | 'waiting' | 'open' | 'muted', string>
  mute: string
  holdToTalk: string
  notChanged: string
  links: string
  noLinks: string
  linkOff: string
  linkDown: string
  videoReturn: string
  noReturn: string
  returnConnecting: string
  returnProblem: string
  core: string
  connected: string
  disconnected: string
  since: string
  unitGone: string
  live: Record<'idle' | 'connecting' | 'streaming' | 'stopping' | 'speedtest', string>
  password: string
  enter: string
  wrongPassword: string
  laterPassword: string
}

export const pageTexts: Readonly<Record<Language, PageTexts>> = {
  en: {
    onAir: 'ON AIR',
    cameras: 'Cameras',
    camera: 'Camera {number}',
    noPicture: 'No picture',
    intercom: 'Intercom',
    noHeadset: 'No headset at this unit',
    line: 'Line {number}',
    lineState: {
      idle: 'Not connected',
      connecting: 'Connecting',
      connected: 'Connected',
    },
    modes: {
      audioRoom: 'Audio room',
      targetChannel: 'Selected channel',
    },
    room: 'Audio room {name}',
    headset: 'Headset {number}',
    headsetWithoutMicrophone: 'Headset {number} (no microphone)',
    noHeadsetOnLine: 'No headset on this line',
    microphone: {
      none: 'No microphone',
      waiting: 'Microphone opens with the connection',
      open: 'Microphone open',
      muted: 'Microphone muted',
    },
    mute: 'Mute',
    holdToTalk: 'Hold to talk',
    notChanged: 'Not changed. Try again.',
    links: 'Links',
    noLinks: 'No links',
    linkOff: 'Off',
    linkDown: 'Down',
    videoReturn: 'Video return',
    noReturn: 'None',
    returnConnecting: 'Connecting',
    returnProblem: 'On no display',
    core: 'Core',
    connected: 'Connected',
    disconnected: 'Not connected',
    since: 'since {time}',
    unitGone: 'No connection to the unit',
    live: {
      idle: 'Not live',
      connecting: 'Connecting',
      streaming: 'Live',
      stopping: 'Stopping',
      speedtest: 'Speed test',
    },
    password: 'Password',
    enter: 'Enter',
    wrongPassword: 'Wrong password',
    laterPassword: 'Too many wrong passwords. Try again in a minute.',
  },
  es: {
    onAir: 'EN EL AIRE',
    cameras: 'Cámaras',
    camera: 'Cámara {number}',
    noPicture: 'Sin imagen',
    intercom: 'Intercomunicador',
    noHeadset: 'Sin auriculares en esta unidad',
    line: 'Línea {number}',
    lineState: {
      idle: 'Sin conexión',
      connecting: 'Conectando',
      connected: 'Conectada',
    },
    modes: {
      audioRoom: 'Sala de audio',
      targetChannel: 'Canal seleccionado',
    },
    room: 'Sala de audio {name}',
    headset: 'Auriculares {number}',
    headsetWithoutMicrophone: 'Auriculares {number} (sin micrófono)',
    noHeadsetOnLine: 'Sin auriculares en esta línea',
    microphone: {
      none: 'Sin micrófono',
      waiting: 'El micrófono se abrirá al conectar',
      open: 'Micrófono abierto',
      muted: 'Micrófono silenciado',
    },
    mute: 'Silenciar',
    holdToTalk: 'Mantener para hablar',
    notChanged: 'Sin cambios. Inténtelo de nuevo.',
    links: 'Enlaces',
    noLinks: 'Sin enlaces',
    linkOff: 'Apagado',
    linkDown: 'Caído',
    videoReturn: 'Retorno de vídeo',
    noReturn: 'Ninguno',
    returnConnecting: 'Conectando',
    returnProblem: 'En ninguna pantalla',
    core: 'Servidor central',
    connected: 'Conectado',
    disconnected: 'Sin conexión',
    since: 'desde las {time}',
    unitGone: 'Sin conexión con la unidad',
    live: {
      idle: 'Sin transmitir',
      connecting: 'Conectando',
      streaming: 'En directo',
      stopping: 'Deteniendo',
      speedtest: 'Prueba de velocidad',
    },
    password: 'Contraseña',
    enter: 'Entrar',
    wrongPassword: 'Contraseña incorrecta',
    laterPassword: 'Demasiadas contraseñas incorrectas. Inténtelo de nuevo en un minuto.',
  },
}

/** By the header Accept-Language: the one of our languages that the user prefers, else English. */
export function languageOf(accepted: string | undefined): Language {
  const preferred = (accepted ?? '')
    .split(',')
    .map((part) => {
      const [name = '', ...parameters] = part.trim().toLowerCase().split(';')
      const quality = parameters
        .map((one) => /^\s*q=([\d.]+)$/.exec(one)?.[1])
        .find((one) => one !== undefined)
      return { language: name.split('-')[0], quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ language, quality }) => (language === 'en' || language === 'es') && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
  return preferred[0]?.language === 'es' ? 'es' : 'en'
}

export const withValues = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
