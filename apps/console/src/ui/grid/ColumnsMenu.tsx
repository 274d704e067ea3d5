import { ActionIcon, Button, Checkbox, Popover, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ColumnsLabel } from './ColumnsLabel.tsx'
import {
  type GridColumn,
  type GridPrefs,
  layoutFromPrefs,
  prefsFromLayout,
  stepColumn,
} from './grid-columns.ts'

interface ColumnsMenuProps<T> {
  columns: readonly GridColumn<T>[]
  prefs: GridPrefs | undefined
  onPrefs: (prefs: GridPrefs | undefined) => void
}

/** Shows, hides and moves columns; the keyboard's way to everything the header does by mouse. */
export function ColumnsMenu<T>({ columns, prefs, onPrefs }: ColumnsMenuProps<T>) {
  const { t } = useTranslation('ui')
  const layout = layoutFromPrefs(columns, prefs)
  const byId = new Map(columns.map((column) => [column.id, column]))
  const save = (next: typeof layout) => onPrefs(prefsFromLayout(next, prefs?.sortState))
  const listed = layout.order.flatMap((id) => {
    const column = byId.get(id)
    return column && !column.actionsOnly ? [column] : []
  })
  return (
    <Popover position="bottom-end" shadow="md" width={280} trapFocus>
      <Popover.Target>
        <button type="button" className="plain-button tool-button" data-tip={t('grid.columns')}>
          <ColumnsLabel />
        </button>
      </Popover.Target>
      <Popover.Dropdown className="columns-menu">
        {listed.map((column) => (
          <div key={column.id} className="columns-menu-row">
            <Checkbox
              size="xs"
              label={column.title}
              checked={!layout.hidden[column.id]}
              disabled={column.required === true || column.pinned !== undefined}
              onChange={(event) =>
                save({ ...layout, hidden: { ...layout.hidden, [column.id]: !event.currentTarget.checked } })
              }
            />
            {column.pinned ? null : (
              <span className="columns-menu-move">
                <ActionIcon
                  size={24}
                  variant="subtle"
                  color="gray"
                  aria-label={t('grid.moveLeft', { column: column.title })}
                  onClick={() => save(stepColumn(layout, columns, column.id, -1))}
                >
                  <IconArrowUp size={14} />
                </ActionIcon>
                <ActionIcon
                  size={24}
                  variant="subtle"
                  color="gray"
                  aria-label={t('grid.moveRight', { column: column.title })}
                  onClick={() => save(stepColumn(layout, columns, column.id, 1))}
                >
                  <IconArrowDown size={14} />
                </ActionIcon>
              </span>
            )}
          </div>
        ))}
        <Button variant="default" size="compact-sm" fullWidth mt={8} onClick={() => onPrefs(undefined)}>
          {t('grid.reset')}
        </Button>
        <Text size="xs" c="var(--text-3)" mt={6}>
          {t('grid.headerKeys')}
        </Text>
      </Popover.Dropdown>
    </Popover>
  )
}
