// The scenes of the generated loops: places that a crew might send from, painted and moved by filters alone.
import { below, box, type Colour, chance, disc, fade, glow, type Layer } from './painting.ts'

export interface Scene {
  readonly title: string
  readonly subtitle: string
  readonly layers: readonly Layer[]
  /** The movement of the camera. */
  readonly camera: 'tripod' | 'hand' | 'pan' | 'flight'
  /** Colour of the reporter's jacket. */
  readonly reporter?: Colour
  /** Lights or figures that cross the picture. */
  readonly traffic?: {
    readonly y: number
    readonly colour: string
    readonly size: string
    readonly speed: number
  }
  readonly falling?: 'snow' | 'rain'
  readonly sound: 'crowd' | 'wind' | 'traffic' | 'room'
}

const windows = (column: number, row: number, lit: number): string =>
  `gt(${chance(`floor(X/${column})`, `floor(Y/${row})`)},${lit})*between(mod(X,${column}),2,${column - 4})*between(mod(Y,${row}),3,${row - 4})`
const roofs = (width: number, least: number, spread: number, seed: number): string =>
  `${1 - least}-${spread}*${chance(`floor(X/${width})`, seed)}`
const ridge = (height: number, a: number, b: number, seed: number): string =>
  `${height}+0.07*sin(X/W*${a}+${seed})+0.03*sin(X/W*${b}+${seed * 2})+0.012*sin(X/W*57+${seed})`
const grain = (amount: number): string => `${amount}*(${chance('X', 'Y')}-0.5)`
const ground = (colour: Colour): Layer => ({ colour, mask: '1' })
const shade = (colour: Colour, mask: string): Layer => ({ colour, mask })
const rough = (r: number, g: number, b: number, amount: number): Colour => [
  `${r}+${grain(amount)}`,
  `${g}+${grain(amount)}`,
  `${b}+${grain(amount)}`,
]

const heads = (size: number): string =>
  `lt(hypot(mod(X+floor(Y/${size})*${size / 2},${size})-${size / 2},mod(Y,${size})-${size / 2}),${size * 0.42})`
const clothes = (size: number): Colour => {
  const column = `floor((X+floor(Y/${size})*${size / 2})/${size})`
  const cell = (seed: number) =>
    `30+90*${chance(column, `floor(Y/${size})`)}+50*${chance(`${column}+${seed}`, `floor(Y/${size})`)}`
  return [cell(1), cell(2), cell(3)]
}

export const scenes: readonly Scene[] = [
  {
    title: 'City centre',
    subtitle: 'Late traffic after the evening peak',
    camera: 'hand',
    sound: 'traffic',
    reporter: [150, 40, 45],
    traffic: { y: 0.86, colour: '0xffe9b0', size: '16x6', speed: 170 },
    layers: [
      ground(fade([10, 14, 46], [120, 74, 70], 0, 0.8)),
      shade([26, 28, 52], below(roofs(92, 0.3, 0.4, 3))),
      shade([214, 178, 104], `${below(roofs(92, 0.3, 0.4, 3))}*${windows(11, 15, 0.7)}`),
      shade([14, 16, 30], below(roofs(134, 0.2, 0.26, 8))),
      shade([250, 214, 140], `${below(roofs(134, 0.2, 0.26, 8))}*${windows(15, 20, 0.78)}`),
      shade(fade([34, 34, 42], [62, 60, 64], 0.8, 1), below('0.8')),
    ],
  },
  {
    title: 'Harbour',
    subtitle: 'Ferries wait for the wind to drop',
    camera: 'tripod',
    sound: 'wind',
    traffic: { y: 0.55, colour: '0x2b3340', size: '70x12', speed: 14 },
    layers: [
      ground(fade([58, 92, 150], [250, 170, 96], 0, 0.55)),
      shade([255, 236, 170], glow(0.68, 0.44, 0.09)),
      shade([255, 250, 224], disc(0.68, 0.44, 0.03)),
      shade([70, 76, 104], below(ridge(0.5, 7, 19, 1))),
      shade(fade([212, 142, 90], [26, 44, 78], 0.56, 1), below('0.56')),
      shade(
        [255, 206, 130],
        `${below('0.56')}*gt(sin(Y*Y/260+3*sin(X/37))+sin(X/23+Y/5),1.1)*exp(-abs(X/W-0.68)*(9-7*Y/H))`,
      ),
      shade([14, 26, 52], `${below('0.58')}*gt(sin(Y*Y/300+2*sin(X/51)),0.86)*0.5`),
    ],
  },
  {
    title: 'Stadium',
    subtitle: 'Second half under way',
    camera: 'pan',
    sound: 'crowd',
    traffic: { y: 0.66, colour: '0xd83a34', size: '7x17', speed: 52 },
    layers: [
      ground([34, 36, 46]),
      shade(clothes(13), `${heads(13)}*lt(Y/H,0.44)`),
      shade([230, 232, 238], box(0, 0.43, 1, 0.475)),
      shade([30, 74, 160], `${box(0, 0.435, 1, 0.47)}*gt(mod(X,280),120)`),
      shade(['38', `116+18*gt(mod((X-W/2)/(0.35+Y/H),120),60)+${grain(12)}`, '46'], below('0.475')),
      shade([226, 240, 226], `${below('0.475')}*lt(abs((X-W/2)-(Y-H*0.5)*0.12),3)`),
      shade([226, 240, 226], `lt(abs(hypot((X/W-0.5)/0.16,(Y/H-0.74)/0.11)-1),0.024)`),
      shade([226, 240, 226], box(0, 0.93, 1, 0.938)),
    ],
  },
  {
    title: 'Mountain pass',
    subtitle: 'Road closed above the tree line',
    camera: 'hand',
    sound: 'wind',
    reporter: [36, 80, 140],
    falling: 'snow',
    layers: [
      ground(fade([150, 164, 184], [206, 212, 220], 0, 0.6)),
      shade([176, 186, 202], below(ridge(0.3, 6, 17, 2))),
      shade([132, 146, 168], below(ridge(0.42, 8, 23, 5))),
      shade([86, 102, 122], below(ridge(0.55, 5, 15, 9))),
      shade([40, 56, 58], `${below(ridge(0.66, 7, 40, 4))}*gt(${chance('floor(X/7)', 'floor(Y/16)')},0.3)`),
      shade(rough(226, 230, 236, 14), below(ridge(0.78, 4, 11, 7))),
    ],
  },
  {
    title: 'Press room',
    subtitle: 'Statement expected shortly',
    camera: 'tripod',
    sound: 'room',
    reporter: [34, 36, 48],
    layers: [
      ground(fade([20, 44, 92], [10, 22, 52])),
      shade(
        [210, 222, 240],
        `${box(0, 0, 1, 0.8)}*lt(hypot(mod(X,186)-93,(mod(Y+93*mod(floor(X/186),2),150)-75)),26)*0.55`,
      ),
      shade([20, 44, 92], `lt(hypot(mod(X,186)-93,(mod(Y+93*mod(floor(X/186),2),150)-75)),16)`),
      shade([240, 240, 255], `${glow(0.5, 0.2, 0.3)}*0.28`),
      shade([78, 50, 32], box(0.34, 0.84, 0.66, 1)),
      shade([112, 76, 48], box(0.33, 0.82, 0.67, 0.85)),
    ],
  },
  {
    title: 'Town hall square',
    subtitle: 'Crowd gathers ahead of the vote',
    camera: 'hand',
    sound: 'crowd',
    layers: [
      ground(fade([120, 150, 196], [214, 220, 226], 0, 0.5)),
      shade([188, 174, 150], `${below('0.2')}*between(X/W,0.16,0.84)`),
      shade([150, 134, 112], `lt(abs(X/W-0.5)*0.42,Y/H-0.06)*lt(Y/H,0.22)*between(X/W,0.16,0.84)`),
      shade([112, 100, 86], `${below('0.27')}*between(X/W,0.18,0.82)*gt(mod(X,70),44)*lt(Y/H,0.56)`),
      shade([74, 66, 60], box(0.46, 0.38, 0.54, 0.58)),
      shade([98, 92, 92], below('0.58')),
      shade(clothes(34), `${heads(34)}*gt(Y/H,0.6)`),
      shade([196, 40, 44], `${box(0.22, 0.5, 0.3, 0.6)}+${box(0.64, 0.46, 0.74, 0.55)}`),
      shade([244, 244, 240], box(0.42, 0.52, 0.52, 0.59)),
    ],
  },
  {
    title: 'Motorway bridge',
    subtitle: 'Lanes reopened in both directions',
    camera: 'tripod',
    sound: 'traffic',
    traffic: { y: 0.7, colour: '0xdadfe6', size: '26x11', speed: 120 },
    layers: [
      ground(fade([146, 176, 212], [226, 226, 220], 0, 0.45)),
      shade([94, 116, 84], below(ridge(0.42, 6, 21, 3))),
      shade(rough(82, 120, 62, 26), below('0.5')),
      shade(rough(92, 94, 98, 14), `lt(abs(X/W-0.5),0.04+(Y/H-0.5)*0.95)*${below('0.5')}`),
      shade(
        [236, 236, 232],
        `${below('0.5')}*lt(abs(abs(X/W-0.5)/(0.04+(Y/H-0.5)*0.95)-0.5),0.02)*gt(sin(18/(Y/H-0.46)),0)`,
      ),
      shade([230, 220, 120], `${below('0.5')}*lt(abs(X/W-0.5)/(0.04+(Y/H-0.5)*0.95),0.025)`),
    ],
  },
  {
    title: 'Coast guard flight',
    subtitle: 'Search area north of the island',
    camera: 'flight',
    sound: 'wind',
    layers: [
      ground(rough(22, 74, 104, 10)),
      shade([52, 118, 142], `gt(sin(X/13+3*sin(Y/29))+sin(Y/9+2*sin(X/41)),1.5)*0.5`),
      shade([196, 214, 206], `lt(hypot(X/W-0.6,(Y/H-0.45)*0.7)+0.008*sin(X/19)+0.012*sin(Y/31),0.235)`),
      shade([206, 186, 140], `lt(hypot(X/W-0.6,(Y/H-0.45)*0.7)+0.008*sin(X/19)+0.012*sin(Y/31),0.215)`),
      shade(rough(66, 104, 58, 40), `lt(hypot(X/W-0.6,(Y/H-0.45)*0.7)+0.014*sin(X/37)+0.01*sin(Y/19),0.18)`),
      shade([180, 170, 150], `lt(abs(Y/H-0.45-0.09*sin(X/70)),0.008)*lt(hypot(X/W-0.6,(Y/H-0.45)*0.7),0.16)`),
    ],
  },
  {
    title: 'Court steps',
    subtitle: 'Counsel to speak after the hearing',
    camera: 'hand',
    sound: 'room',
    reporter: [70, 62, 58],
    falling: 'rain',
    layers: [
      ground([150, 150, 150]),
      shade([196, 192, 182], box(0.05, 0.12, 0.95, 0.7)),
      shade([172, 168, 158], `${box(0.05, 0.22, 0.95, 0.7)}*gt(mod(X,132),76)`),
      shade(
        [
          '208+34*sin(mod(X,132)/76*3.14)',
          '204+34*sin(mod(X,132)/76*3.14)',
          '192+34*sin(mod(X,132)/76*3.14)',
        ],
        `${box(0.05, 0.22, 0.95, 0.7)}*lt(mod(X,132),76)`,
      ),
      shade([60, 56, 54], `${box(0.05, 0.34, 0.95, 0.7)}*between(mod(X,132),90,118)`),
      shade([168, 164, 156], `${below('0.7')}*gt(mod(Y,24),9)`),
      shade([132, 128, 122], `${below('0.7')}*lt(mod(Y,24),9)`),
    ],
  },
  {
    title: 'Night market',
    subtitle: 'Stalls busy despite the cold',
    camera: 'pan',
    sound: 'crowd',
    layers: [
      ground(fade([18, 14, 26], [54, 34, 32])),
      shade([255, 190, 90], `lt(hypot(mod(X,84)-42,Y-H*0.2-22*sin(X/W*9.4)),9)`),
      shade([255, 160, 70], `exp(-((mod(X,84)-42)^2+(Y-H*0.2-22*sin(X/W*9.4))^2)/1100)*0.6`),
      shade([166, 44, 40], `${box(0, 0.36, 1, 0.46)}*gt(mod(X,60),30)`),
      shade([232, 224, 206], `${box(0, 0.36, 1, 0.46)}*lt(mod(X,60),30)`),
      shade([240, 180, 96], `${box(0, 0.46, 1, 0.66)}*0.5`),
      shade([70, 44, 30], box(0, 0.64, 1, 0.72)),
      shade([24, 20, 26], `lt(hypot(mod(X+floor(Y/90)*31,76)-38,(mod(Y,90)-30)*0.9),19)*gt(Y/H,0.5)`),
      shade([32, 28, 38], `lt(abs(mod(X+floor(Y/90)*31,76)-38),24)*gt(mod(Y,90),46)*gt(Y/H,0.5)`),
    ],
  },
  {
    title: 'Wind farm',
    subtitle: 'Output at a record this month',
    camera: 'flight',
    sound: 'wind',
    layers: [
      ground(fade([88, 150, 214], [214, 232, 240], 0, 0.6)),
      shade([250, 250, 252], `clip(sin(X/83+2*sin(Y/61))+sin(X/37+Y/43)-0.8,0,1)*0.6*lt(Y/H,0.5)`),
      shade(rough(104, 146, 76, 20), below(ridge(0.6, 4, 13, 2))),
      shade(rough(150, 164, 82, 24), below(ridge(0.74, 5, 17, 6))),
      shade([246, 246, 246], `lt(abs(mod(X,260)-130),3.5)*between(Y/H,0.3,0.72)`),
      shade(
        [250, 250, 250],
        `lt(hypot(mod(X,260)-130,Y-H*0.3),104)*lt(abs(sin(1.5*atan2(Y-H*0.3,mod(X,260)-130)+floor(X/260))),0.045)`,
      ),
    ],
  },
  {
    title: 'Studio gallery',
    subtitle: 'Line check from the desk',
    camera: 'tripod',
    sound: 'room',
    reporter: [96, 36, 84],
    layers: [
      ground([16, 18, 26]),
      shade(
        [
          `40+160*${chance('floor(X/186)', 'floor(Y/116)')}`,
          `40+150*${chance('floor(X/186)+5', 'floor(Y/116)')}`,
          `60+160*${chance('floor(X/186)+9', 'floor(Y/116)')}`,
        ],
        'between(mod(X,186),9,177)*between(mod(Y,116),8,106)*lt(Y/H,0.74)*0.75',
      ),
      shade([236, 236, 240], `between(mod(X,186),20,120)*between(mod(Y,116),86,96)*lt(Y/H,0.74)*0.7`),
      shade([58, 60, 70], below('0.78')),
      shade(
        [220, 60, 50],
        `${below('0.84')}*lt(hypot(mod(X,56)-28,mod(Y,40)-20),8)*gt(${chance('floor(X/56)', 'floor(Y/40)')},0.6)`,
      ),
      shade(
        [90, 200, 120],
        `${below('0.84')}*lt(hypot(mod(X,56)-28,mod(Y,40)-20),8)*lt(${chance('floor(X/56)', 'floor(Y/40)')},0.3)`,
      ),
    ],
  },
]
