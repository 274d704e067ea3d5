/** The keys of one language held against those of another: one too many has to be of a type that no text has. */
export type SameKeys<Theirs, Ours> = {
  readonly [K in keyof Ours | keyof Theirs]: K extends keyof Ours
    ? Ours[K] extends string
      ? string
      : SameKeys<K extends keyof Theirs ? Theirs[K] : unknown, Ours[K]>
    : never
}
