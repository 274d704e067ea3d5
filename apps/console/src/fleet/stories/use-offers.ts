// What a searched choice offers while one types.
import { useEffect, useState } from 'react'
import type { Offer } from './stories.ts'

/** ms after the last key until core is asked */
const typingPauseMs = 200

/** A failure offers nothing: what is chosen already stays. */
export function useOffers(
  offer: (inventoryId: string, search: string) => Promise<Offer[]>,
  inventoryId: string,
  search: string,
): readonly Offer[] {
  const [offers, setOffers] = useState<readonly Offer[]>([])
  useEffect(() => {
    let isWanted = true
    const take = (found: readonly Offer[]) => isWanted && setOffers(found)
    const ask = () =>
      void offer(inventoryId, search).then(take, () => {
        take([])
      })
    const timer = setTimeout(ask, search === '' ? 0 : typingPauseMs)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [offer, inventoryId, search])
  return offers
}
