import type { Colour } from './painting.ts'
import { CANVAS, paint } from './painting.ts'
import type { Scene } from './scenes.ts'

export const LOOP = {
  width: 480,
  height: 270,
  framesPerSecond: 15,
  seconds: 24,
  videoKbps: 250,
  audioKbps: 48,
}

const { framesPerSecond } = LOOP
/** Every motion repeats after the length of the loop, so that its end meets its beginning. */
const turn = (times: number) => `2*PI*t*${times}/${LOOP.seconds}`
const view = { width: LOOP.width * 2, height: LOOP.height * 2 }
const room = { x: CANVAS.width - view.width, y: CANVAS.height - view.height }

/** Position of the view on the canvas, from 0 to 1 of its room to move. */
const cameras: Readonly<Record<Scene['camera'], { x: string; y: string }>> = {
  tripod: { x: `0.5+0.01*sin(${turn(3)})`, y: `0.5+0.01*sin(${turn(5)})` },
  hand: {
    x: `0.5+0.14*sin(${turn(2)})+0.05*sin(${turn(11)})+0.02*sin(${turn(29)})`,
    y: `0.5+0.12*sin(${turn(3)})+0.06*sin(${turn(13)})+0.03*sin(${turn(31)})`,
  },
  pan: { x: `0.5+0.5*sin(${turn(1)})`, y: `0.5+0.06*sin(${turn(4)})` },
  flight: { x: `0.5+0.48*sin(${turn(1)})`, y: `0.5+0.45*cos(${turn(1)})` },
}

const still = (filter: string, size: string, format: string): string =>
  `color=c=black:s=${size}:r=${framesPerSecond},trim=end_frame=1,format=${format},${filter},` +
  `loop=loop=-1:size=1:start=0,setpts=N/${framesPerSecond}/TB`

/** One program run that makes the whole loop: painting, motion, words and sound; the name of the MPEG-TS file follows. */
export function loopArguments(scene: Scene, fontPath: string | undefined): string[] {
  const { seconds, videoKbps, audioKbps } = LOOP
  const graph = [...pictureGraph(scene, fontPath), `${soundSources[scene.sound]}[sound]`].join(';')
  return [
    '-hide_banner',
    '-nostdin',
    '-nostats',
    '-v',
    'error',
    '-threads',
    '1',
    '-filter_threads',
    '1',
    '-filter_complex_threads',
    '1',
    '-filter_complex',
    graph,
    '-map',
    '[picture]',
    '-map',
    '[sound]',
    '-t',
    String(seconds),
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-tune',
    'zerolatency',
    '-profile:v',
    'baseline',
    '-b:v',
    `${videoKbps}k`,
    '-maxrate',
    `${videoKbps}k`,
    '-bufsize',
    `${videoKbps}k`,
    '-g',
    String(framesPerSecond),
    '-keyint_min',
    String(framesPerSecond),
    '-sc_threshold',
    '0',
    '-c:a',
    'aac',
    '-b:a',
    `${audioKbps}k`,
    '-ar',
    '48000',
    '-ac',
    '2',
    '-muxdelay',
    '0',
    '-muxpreload',
    '0',
    '-pat_period',
    '0.5',
    '-pes_payload_size',
    '0',
    '-f',
    'mpegts',
    '-y',
  ]
}

/** One JPEG a second of a finished loop, for the wall: it need not be decoded again. */
export function stillArguments(path: string, pattern: string): string[] {
  return [
    '-hide_banner',
    '-nostdin',
    '-nostats',
    '-v',
    'error',
    '-threads',
    '1',
    '-skip_frame',
    'nokey',
    '-i',
    `file:${path}`,
    '-map',
    '0:v:0',
    '-vsync',
    'passthrough',
    '-q:v',
    '6',
    '-y',
    pattern,
  ]
}

function pictureGraph(scene: Scene, fontPath: string | undefined): string[] {
  const camera = cameras[scene.camera]
  const steps = [
    `${still(`${paint(scene.layers)},gblur=sigma=0.9,format=yuv420p`, `${CANVAS.width}x${CANVAS.height}`, 'gbrp')},` +
      `crop=${view.width}:${view.height}:'${room.x}*(${camera.x})':'${room.y}*(${camera.y})',` +
      `scale=${LOOP.width}:${LOOP.height}:flags=area[p0]`,
  ]
  let layer = 0
  const add = (source: string, x: string, y: string) => {
    steps.push(`${source}[over${layer}]`, `[p${layer}][over${layer}]overlay=x='${x}':y='${y}'[p${layer + 1}]`)
    layer++
  }
  const { traffic, falling, reporter } = scene
  if (traffic) addTraffic(traffic, add)
  if (reporter) {
    const place = scene.camera === 'tripod' ? 0.5 : 0.7
    add(
      person(reporter),
      `main_w*${place}-overlay_w/2+3*sin(${turn(5)})+2*sin(${turn(13)})`,
      `main_h-overlay_h+10+3*sin(${turn(9)})+2*sin(${turn(23)})`,
    )
  }
  if (falling) add(fallingSource(falling), '0', '0')
  steps.push(
    `[p${layer}]noise=alls=5:allf=t,eq=saturation=0.92,vignette=PI/6${words(scene, fontPath)}[picture]`,
  )
  return steps
}

function addTraffic(
  { y, colour, size, speed }: NonNullable<Scene['traffic']>,
  add: (source: string, x: string, y: string) => void,
): void {
  for (const [index, share] of [0.1, 0.37, 0.55, 0.86].entries()) {
    const direction = index % 2 === 0 ? 1 : -1
    // A whole number of crossings, so that the loop closes.
    const crossings = Math.max(1, Math.round((speed * (1 + share) * LOOP.seconds) / (LOOP.width + 160)))
    const place = `mod(${share}+${direction}*t*${crossings}/${LOOP.seconds}+${crossings},1)*(main_w+160)-80`
    add(`color=c=${colour}:s=${size}:r=${framesPerSecond}`, place, `main_h*${(y + index * 0.035).toFixed(3)}`)
  }
}

/** Head and shoulders with a microphone, cut out of their ground. */
function person(jacket: Colour): string {
  const inside = (x: number, y: number, rx: number, ry: number) =>
    `lt(hypot((X-${x})/${rx},(Y-${y})/${ry}),1)`
  const head = inside(80, 56, 25, 33)
  const hair = `${inside(80, 46, 29, 34)}*lt(Y,52+0.02*(X-80)^2*-1+6)`
  const neck = 'between(X,69,91)*between(Y,70,108)'
  const body = 'gt(Y,96)*lt(abs(X-80),74-900/(Y-84))'
  const shirt = 'gt(Y,98)*lt(abs(X-80),(150-Y)*0.36)'
  const microphone = `${inside(112, 150, 9, 12)}+between(X,108,116)*between(Y,150,240)`
  const eyes = `${inside(71, 55, 3, 2)}+${inside(89, 55, 3, 2)}`
  const channel = (index: 0 | 1 | 2) => {
    const skin = [206, 160, 132][index]
    const steps = [
      `st(0,${jacket[index]}-0.12*(X-80))`,
      `st(0,lerp(ld(0),${[232, 234, 238][index]},${shirt}))`,
      `st(0,lerp(ld(0),${skin}-26,${neck}))`,
      `st(0,lerp(ld(0),${[52, 38, 30][index]},${hair}))`,
      `st(0,lerp(ld(0),${skin}-0.5*(X-80),${head}*(1-${hair}*lt(Y,36))))`,
      `st(0,lerp(ld(0),40,clip(${eyes},0,1)))`,
      `st(0,lerp(ld(0),${[150, 84, 84][index]},${inside(80, 74, 9, 2.4)}))`,
      `st(0,lerp(ld(0),28,clip(${microphone},0,1)))`,
      'clip(ld(0),0,255)',
    ]
    return `'${steps.join(';')}'`
  }
  const alpha = `'255*clip(${head}+${hair}+${neck}+${body}+${microphone},0,1)'`
  return still(
    `geq=r=${channel(0)}:g=${channel(1)}:b=${channel(2)}:a=${alpha},gblur=sigma=0.7`,
    '160x200',
    'rgba',
  )
}

function fallingSource(kind: 'snow' | 'rain'): string {
  const drop =
    kind === 'snow'
      ? 'gt(mod(abs(sin(floor(X/4)*12.9898+floor(Y/4)*78.233)*43758.5453),1),0.986)'
      : 'gt(mod(abs(sin(X*12.9898+floor(Y/14)*78.233)*43758.5453),1),0.986)'
  const alpha = kind === 'snow' ? 220 : 90
  // Scrolls by whole heights within the loop.
  const heightsPerFrame = (kind === 'snow' ? 10 : 48) / (LOOP.seconds * framesPerSecond)
  return `${still(
    `geq=r='240':g='244':b='250':a='${alpha}*${drop}'`,
    `${LOOP.width}x${LOOP.height}`,
    'rgba',
  )},scroll=v=${(-heightsPerFrame).toFixed(6)}`
}

function words({ title, subtitle }: Scene, fontPath: string | undefined): string {
  const bar =
    ',drawbox=x=0:y=ih-54:w=iw*0.62:h=38:color=0x0c1a30@0.82:t=fill,drawbox=x=0:y=ih-54:w=5:h=38:color=0xe2b13c@1:t=fill'
  if (!fontPath) return bar
  const line = (text: string, y: number, size: number) =>
    `,drawtext=fontfile='${fontPath}':text='${text}':x=14:y=h-${y}:fontsize=${size}:fontcolor=white`
  return `${bar}${line(title, 50, 15)}${line(subtitle, 31, 11)}`
}

const voice = 'anoisesrc=c=pink:a=0.5:r=48000:seed=7,bandpass=f=320:width_type=h:w=420,tremolo=f=3.4:d=0.85'
const soundSources: Readonly<Record<Scene['sound'], string>> = {
  crowd: `anoisesrc=c=pink:a=0.3:r=48000:seed=3,bandpass=f=700:width_type=h:w=1100,tremolo=f=0.4:d=0.5`,
  wind: `anoisesrc=c=brown:a=0.5:r=48000:seed=5,lowpass=f=420,tremolo=f=0.25:d=0.7`,
  traffic: `anoisesrc=c=brown:a=0.35:r=48000:seed=9,tremolo=f=0.3:d=0.6[street];${voice}[talk];[street][talk]amix=inputs=2`,
  room: `anoisesrc=c=pink:a=0.02:r=48000:seed=11[air];${voice}[talk];[air][talk]amix=inputs=2`,
}
