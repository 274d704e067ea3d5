// Hint for a group without channels: add some, or contact an administrator.
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { groupDialogAsked } from './group-list.ts'
import { useGroups } from './groups.ts'
import styles from './no-channels.module.css'

export function NoChannels() {
  const { t } = useTranslation('groups')
  const navigate = useNavigate()
  const mayAdd = useMay('administerPeople')
  const { current } = useGroups()
  if (!current) return null
  const add = () => {
    groupDialogAsked.set({ uid: current.uid, tab: 'channels' })
    void navigate({ to: '/manage/groups' })
  }
  return (
    <div className={styles.hint}>
      <p>{t('noChannels.empty')}</p>
      {mayAdd ? (
        <button
          type="button"
          className="plain-button"
          onMouseDown={(event) => event.preventDefault()}
          onClick={add}
        >
          {t('noChannels.add')}
        </button>
      ) : (
        <p className="quiet">{t('noChannels.ask')}</p>
      )}
    </div>
  )
}
