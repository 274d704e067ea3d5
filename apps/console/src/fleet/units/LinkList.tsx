import type { ModemStatus } from '@backhaul/contract/nouns/modems'
import { useTranslation } from 'react-i18next'
import { mbpsText, shortDate, sizeText } from '../../ui/locale.ts'
import { StaticTable } from '../../ui/StaticTable.tsx'
import styles from './link-list.module.css'
import { nothing, percentText } from './unit-presentation.ts'

/** Colour of a link, fixed by its port so that list, graph and map agree. */
export const seriesColour = (port: number): string => `var(--series-${(port % 8) + 1})`

/** The strongest figure that the modem reports about its signal. */
function signalText(link: ModemStatus): string {
  const { rsrp, rssi } = link.signalQualities
  const dbm = rsrp ?? rssi
  return dbm === undefined ? nothing : `${Math.round(dbm)} dBm`.replace('-', '−')
}

const metaOf = (link: ModemStatus, data: string): string =>
  [link.id, link.carrier, link.technology, link.activeSim && `SIM ${link.activeSim}`, link.address, data]
    .filter(Boolean)
    .join(' · ')

export interface LinkListProps {
  links: readonly ModemStatus[]
  /** On the page of a unit a link has two lines only where the screen is narrow. */
  layout: 'page' | 'twoLines' | 'low'
}

export function LinkList({ links, layout }: LinkListProps) {
  const { t } = useTranslation('units')
  if (links.length === 0) return <p className="quiet">{t('inspector.noLinks')}</p>
  return (
    <StaticTable
      className={`${styles.links} ${styles[layout]}`}
      label={t('inspector.links')}
      isFixed
      colgroup={
        <colgroup>
          <col />
          <col className={styles.colRate} />
          <col className={styles.colRtt} />
          <col className={styles.colLoss} />
          <col className={styles.colSignal} />
        </colgroup>
      }
    >
      {links.map((link) => {
        const up = link.connected && link.enabled
        const state = link.enabled ? t('inspector.down') : t('inspector.disabled')
        const data = link.data && {
          all: sizeText(link.data.sentBytes + link.data.receivedBytes),
          sent: sizeText(link.data.sentBytes),
          received: sizeText(link.data.receivedBytes),
          since: shortDate(link.data.sinceMs),
        }
        return (
          <tr key={link.port} data-down={!up || undefined}>
            <th scope="row">
              <i style={{ background: seriesColour(link.port) }} />
              <span
                className={styles.linkWords}
                data-tip={metaOf(link, data ? t('inspector.dataSince', data) : '')}
              >
                <span className="clip">{link.id}</span>
                <span className={`clip ${styles.linkMeta}`}>
                  {[link.carrier, link.technology, link.roaming ? t('inspector.roaming') : '', data?.all]
                    .filter(Boolean)
                    .join(' ')}
                </span>
              </span>
            </th>
            <td className="figure">{up ? mbpsText(link.uplinkKbps) : state}</td>
            <td className="figure">{up && link.rttMs !== null ? `${Math.round(link.rttMs)} ms` : nothing}</td>
            <td className="figure">{up ? percentText(link.lossPercent) : nothing}</td>
            <td className="figure">{signalText(link)}</td>
          </tr>
        )
      })}
    </StaticTable>
  )
}
