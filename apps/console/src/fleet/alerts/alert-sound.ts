// Short own sounds, made on the spot; silent until the user has touched the page, as browsers demand.
let context: AudioContext | undefined

const tones = {
  critical: [
    { hz: 880, atS: 0, lengthS: 0.14 },
    { hz: 660, atS: 0.18, lengthS: 0.14 },
    { hz: 880, atS: 0.36, lengthS: 0.18 },
  ],
  warning: [{ hz: 520, atS: 0, lengthS: 0.22 }],
} as const

export function playAlertSound(severity: keyof typeof tones): void {
  if (!navigator.userActivation?.hasBeenActive) return
  context ??= new AudioContext()
  for (const { hz, atS, lengthS } of tones[severity]) {
    const start = context.currentTime + atS
    const oscillator = context.createOscillator()
    const volume = context.createGain()
    oscillator.frequency.value = hz
    volume.gain.setValueAtTime(0, start)
    volume.gain.linearRampToValueAtTime(0.18, start + 0.015)
    volume.gain.linearRampToValueAtTime(0, start + lengthS)
    oscillator.connect(volume).connect(context.destination)
    oscillator.start(start)
    oscillator.stop(start + lengthS)
  }
}
