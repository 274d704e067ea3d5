// Assignment of channels to tiles: pure rules over a remembered list.

export const tileCounts = [1, 4, 9, 16, 25, 36] as const

export interface Layout {
  tiles: number
  channels: (string | null)[]
  /** Channel whose sound is played. */
  audio: string | null
}

/** The list as long as the wall, unknown channels left out, none twice. */
export function shownChannels(layout: Layout, known: (id: string) => boolean): (string | null)[] {
  const seen = new Set<string>()
  return Array.from({ length: layout.tiles }, (_, tile) => {
    const id = layout.channels[tile] ?? null
    if (id === null || seen.has(id) || !known(id)) return null
    seen.add(id)
    return id
  })
}

/** Puts a channel on a tile; when it is on another one already, the two tiles change places. */
export function placed(layout: Layout, channelId: string, tile: number): Layout {
  const channels = Array.from(
    { length: Math.max(layout.tiles, layout.channels.length) },
    (_, i) => layout.channels[i] ?? null,
  )
  const before = channels.indexOf(channelId)
  if (before >= 0) channels[before] = channels[tile] ?? null
  channels[tile] = channelId
  return { ...layout, channels }
}

export function cleared(layout: Layout, tile: number): Layout {
  const gone = layout.channels[tile] ?? null
  const channels = layout.channels.map((id, i) => (i === tile ? null : id))
  return { ...layout, channels, audio: layout.audio === gone ? null : layout.audio }
}

/** The first tile without a channel, else the last one. */
export function freeTile(shown: readonly (string | null)[]): number {
  const free = shown.indexOf(null)
  return free < 0 ? shown.length - 1 : free
}

/** A wall filled in the order given. */
export const filled = (layout: Layout, ids: readonly string[]): Layout => ({
  ...layout,
  channels: Array.from({ length: layout.tiles }, (_, tile) => ids[tile] ?? null),
})
