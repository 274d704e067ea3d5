import { Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { compareTexts } from '../../ui/locale.ts'
import { enterGroup, useGroups } from './groups.ts'

export function GroupSwitcher() {
  const { t } = useTranslation('groups')
  const { groups, current, state } = useGroups()
  const several = groups.length > 1
  const sorted = [...groups].sort(
    (a, b) => compareTexts(a.inventoryName, b.inventoryName) || compareTexts(a.name, b.name),
  )
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
        {sorted.map((group, index) => (
          <div key={group.uid}>
            {sorted[index - 1]?.inventoryId === group.inventoryId ? null : (
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
      </Menu.Dropdown>
    </Menu>
  )
}
