import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useListVersion } from '../../ui/keyed-store.ts'
import { StatusWords } from '../../ui/StatusWords.tsx'
import { useValue } from '../../ui/value.ts'
import { expiryText, stateText } from './service-columns.tsx'
import { glyphOf, labelOf } from './service-words.ts'
import { ownServices } from './services.ts'

/** What a customer has of services, in a word each, with their ends; no figures of use. */
export function ServiceState({ inventory }: { inventory: string }) {
  const { t } = useTranslation('services')
  const { state, text } = useValue(ownServices.state)
  useListVersion(ownServices.store)
  useEffect(() => void ownServices.show(inventory), [inventory])
  if (state === 'error') return <p>{text}</p>
  const had = ownServices.store.ids().flatMap((name) => {
    const service = ownServices.store.get(name)
    return service && service.status !== 'na' ? [service] : []
  })
  if (had.length === 0) return <p className="quiet">{t(state === 'loading' ? 'loading' : 'empty.title')}</p>
  return (
    <ul className="service-states">
      {had.map((service) => (
        <li key={service.name} data-service={service.name}>
          <span>{labelOf(t, service.name)}</span>
          <StatusWords look={glyphOf(service)} words={stateText(t, service)} />
          <span className="quiet">{expiryText(t, service)}</span>
        </li>
      ))}
    </ul>
  )
}
