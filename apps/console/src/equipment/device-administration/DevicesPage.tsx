// /manage/devices: the servers and units of the group, or of all customers of the user.
import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useGroups } from '../../people/groups/groups.ts'
import { ServerRecords } from './ServerRecords.tsx'
import { UnitRecords } from './UnitRecords.tsx'

const kinds = ['servers', 'units'] as const
const reaches = ['group', 'all'] as const

export function DevicesPage() {
  const { t } = useTranslation('deviceAdministration')
  const { current } = useGroups()
  const [kind, setKind] = useState<(typeof kinds)[number]>('servers')
  const [reach, setReach] = useState<(typeof reaches)[number]>('group')
  const group = reach === 'group' ? current?.uid : undefined
  const actions = (
    <>
      <SegmentedControl
        size="xs"
        aria-label={t('kind.label')}
        value={kind}
        onChange={(value) => setKind(value as typeof kind)}
        data={kinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
      />
      <SegmentedControl
        size="xs"
        aria-label={t('reach.label')}
        value={reach}
        onChange={(value) => setReach(value as typeof reach)}
        data={reaches.map((value) => ({ value, label: t(`reach.${value}`) }))}
      />
    </>
  )
  return kind === 'servers' ? (
    <ServerRecords group={group} actions={actions} />
  ) : (
    <UnitRecords group={group} actions={actions} />
  )
}
