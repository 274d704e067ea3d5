import { Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { compareTexts } from '../../ui/locale.ts'
import { enterGroup, useGroups } from './groups.ts'

/** A list of the vendor's length is not drawn whole where a search finds the rest. */
const shownAtMost = 100

export function GroupSwitcher({ onSearch }: { onSearch?: () => void }) {
  const { t } = useTranslation('groups')
  const { groups, current, state } = useGroups()
  const several = groups.length > 1
  const shown = [...groups]
    .sort((a, b) => compareTexts(a.inventoryName, b.inventoryName) || compareTexts(a.name, b.name))
    .slice(0, onSearch && shownAtMost)
  return (
    <Menu position="bottom-start" width={280} shadow="md" disabled={!several}>
      <Menu.Target>
        <button
          type="button"
          className="plain-button group-switcher"
          data-tip={several ? t('switch') : undefined}
        >
          <span className="quiet">{t('group')}</span>
          <span className="clip">{current?.name ?? (state === 'loading' ? '…' : t('none'))}</span>
          {several ? <IconChevronDown size={14} /> : null}
        </button>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflow: 'auto' }}>
        {shown.map((group, index) => (
          <div key={group.uid}>
            {shown[index - 1]?.inventoryId === group.inventoryId ? null : (
              <Menu.Label>{group.inventoryName}</Menu.Label>
            )}
            <Menu.Item
              onClick={() => enterGroup(group)}
              aria-current={group.uid === current?.uid || undefined}
              rightSection={group.uid === current?.uid ? '✓' : null}
            >
              {group.name}
            </Menu.Item>
          </div>
        ))}
        {groups.length > shown.length ? (
          <Menu.Item onClick={onSearch}>
            {t('manage.more', { count: shown.length, total: groups.length })}
          </Menu.Item>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  )
}
