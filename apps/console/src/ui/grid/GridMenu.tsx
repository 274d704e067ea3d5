import { Kbd, Menu } from '@mantine/core'
import { Fragment } from 'react'

export interface GridMenuItem {
  id: string
  label: string
  /** The key that does the same on the selected row. */
  keys?: string
  run: () => void
  /** Why it cannot be done now; shown under the label. */
  refusal?: string | undefined
  danger?: boolean
}

/** Where the menu is, the items of the grid itself, and the end of the menu. */
export interface GridMenuPlace {
  x: number
  y: number
  gridItems: GridMenuItem[]
  onClose: () => void
}

interface GridMenuProps extends GridMenuPlace {
  items: GridMenuItem[]
}

/** The context menu of a row and of the grid, opened where the pointer is. */
export function GridMenu({ x, y, items, gridItems, onClose }: GridMenuProps) {
  return (
    <Menu
      opened
      onClose={onClose}
      position="bottom-start"
      offset={2}
      width={240}
      shadow="md"
      returnFocus={false}
    >
      <Menu.Target>
        <span aria-hidden style={{ position: 'fixed', left: x, top: y, width: 1, height: 1 }} />
      </Menu.Target>
      <Menu.Dropdown>
        {items.map((item) => (
          <Fragment key={item.id}>
            <Menu.Item
              disabled={item.refusal !== undefined}
              onClick={item.run}
              rightSection={
                item.keys ? (
                  <Kbd size="xs" aria-hidden>
                    {item.keys}
                  </Kbd>
                ) : null
              }
              {...(item.danger ? { className: 'menu-danger' } : {})}
            >
              {item.label}
              {item.refusal ? <span className="menu-refusal">{item.refusal}</span> : null}
            </Menu.Item>
          </Fragment>
        ))}
        {items.length > 0 ? <Menu.Divider /> : null}
        {gridItems.map((item) => (
          <Menu.Item key={item.id} onClick={item.run}>
            {item.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
