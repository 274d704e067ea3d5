import { IconDatabase, IconEar } from '@tabler/icons-react'
import type { MenuItem, Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'
import { type EntityArea, entityAreas } from './entities.ts'

const EntitiesPage = loaded(async () => (await import('./EntitiesPage.tsx')).EntitiesPage)

/** The address of an area opens its first child (RT-CONTR-02, RT-PSG-01); IFB servers have an item of their own (GAP-SCR-01). */
function screensOf(area: EntityArea, guard: Screen['guard'], menu: MenuItem): Screen[] {
  const { path: parent, children } = entityAreas[area]
  return [
    { path: parent, guard, menu, component: () => <EntitiesPage area={area} list={children[0].list} /> },
    ...children.map(
      ({ path, list }): Screen => ({
        path: `${parent}/${path}`,
        guard,
        component: () => <EntitiesPage key={list} area={area} list={list} />,
        ...(list === 'ifbServers'
          ? { menu: { label: 'ifbServers', icon: IconEar, place: 6 } }
          : { under: menu.label }),
      }),
    ),
  ]
}

export const entityScreens: readonly Screen[] = [
  ...screensOf('system', 'psg', { label: 'systemEntities', icon: IconDatabase, place: 10, key: 'i' }),
  ...screensOf('contractor', 'contractor', { label: 'contractorEntities', icon: IconDatabase, place: 20 }),
]
