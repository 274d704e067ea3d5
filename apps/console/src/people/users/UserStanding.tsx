// The state of a user now, below the fields of the account; nothing of it is set here.
import { userDetails } from '@backhaul/contract/api/user-details'
import { consents, type User } from '@backhaul/contract/nouns/users'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../doors/reads.ts'
import { Facts } from '../../ui/Facts.tsx'
import { compareTexts } from '../../ui/locale.ts'
import { useGroups } from '../groups/groups.ts'
import styles from './users.module.css'
import { consentWords, useInventoryChoices } from './users.ts'

/** Users enter and leave rooms. */
const refreshMs = 3000

export function UserStanding({ user }: { user: User }) {
  const { t } = useTranslation('users')
  const { groups } = useGroups()
  const inventories = useInventoryChoices()
  const about = { params: { id: user.id } }
  const { data: details, errorText } = useRead(userDetails.ofUser, about, { everyMs: refreshMs })

  const names = (ids: readonly string[], known: ReadonlyMap<string, string>) =>
    ids
      .map((one) => known.get(one) ?? one)
      .sort(compareTexts)
      .join(', ') || t('standing.none')
  const groupNames = new Map(groups.map(({ uid, name }) => [uid, name]))
  const inventoryNames = new Map(inventories.map((one) => [one.id, one.name]))
  return (
    <section className={styles.userStanding} aria-label={t('standing.title')}>
      <h3>{t('standing.title')}</h3>
      {errorText === undefined ? null : <p className="text-critical">{errorText}</p>}
      {details === undefined ? (
        errorText === undefined && <p className="quiet">{t('standing.loading')}</p>
      ) : (
        <Facts
          facts={[
            [t('standing.groups'), names(details.groupSubscriptions, groupNames)],
            [t('standing.inventories'), names(details.inventorySubscriptions, inventoryNames)],
            [
              t('standing.relays'),
              details.stunTurnInfo.iceServers.flatMap(({ urls }) => urls).join(', ') ||
                t('standing.noRelays'),
            ],
            [
              t('standing.ifb'),
              [t(`standing.IFBStatus.${details.IFBStatus}`), details.audioRoom].filter(Boolean).join(' · '),
            ],
            ...consents.map((name) => [t(`consents.${name}`), consentWords(user, name, t)] as const),
          ]}
        />
      )}
    </section>
  )
}
