// Offers of a searched choice while the user types.
import { useAnswer } from '../../doors/reads.ts'
import { useTyped } from '../../kit/lists.ts'
import { type Offer, offerStories, offerUnits } from './stories.ts'

const offers = { stories: offerStories, units: offerUnits }

const none: readonly Offer[] = []

/** A failure offers nothing: the current choice is kept. */
export function useOffers(kind: keyof typeof offers, inventoryId: string, text: string): readonly Offer[] {
  const search = useTyped(text)
  const name = ['offers', kind, inventoryId, search]
  const { data, errorText } = useAnswer(name, () => offers[kind](inventoryId, search), { keepsBefore: true })
  return errorText === undefined ? (data ?? none) : none
}
