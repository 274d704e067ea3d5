import { useTranslation } from 'react-i18next'
import { useList } from '../../kit/lists.ts'
import { StatusWords } from '../../ui/StatusWords.tsx'
import { expiryText, stateText } from './service-columns.tsx'
import { glyphOf, labelOf } from './service-texts.ts'
import styles from './services.module.css'
import { ownServices } from './services.ts'

/** Services of a customer, in a word each, with their ends; no figures of use. */
export function ServiceState({ inventory }: { inventory: string }) {
  const { t } = useTranslation('services')
  const { items, state, errorText } = useList(ownServices, [inventory])
  if (state === 'error') return <p>{errorText}</p>
  const had = items.filter(({ status }) => status !== 'na')
  if (had.length === 0) return <p className="quiet">{t(state === 'loading' ? 'loading' : 'empty.title')}</p>
  return (
    <ul className={styles.serviceStates}>
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
