/** The items one of whose words contains the text, regardless of case; every item for an empty text. */
export function textFilter<T>(
  text: string,
  wordsOf: (item: T) => readonly (string | null)[],
): ((item: T) => boolean) | undefined {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return undefined
  return (item) => wordsOf(item).some((word) => word?.toLowerCase().includes(wanted))
}
