import { Kbd } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Dialog } from './Dialog.tsx'

export interface KeyGroup {
  title: string
  keys: { keys: string[]; label: string }[]
}

export function KeySheet({
  groups,
  opened,
  onClose,
}: {
  groups: KeyGroup[]
  opened: boolean
  onClose: () => void
}) {
  const { t } = useTranslation('ui')
  return (
    <Dialog opened={opened} onClose={onClose} title={t('keys.title')} size={680}>
      <div className="key-sheet">
        {groups.map((group) => (
          <section key={group.title}>
            <h3>{group.title}</h3>
            <dl>
              {group.keys.map((row) => (
                <div key={row.label}>
                  <dt>
                    {row.keys.map((key) => (
                      <Kbd key={key} size="sm">
                        {key}
                      </Kbd>
                    ))}
                  </dt>
                  <dd>{row.label}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
