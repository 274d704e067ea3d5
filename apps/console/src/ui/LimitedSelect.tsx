import { because } from '@backhaul/contract/define/refusals'
import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import { useState } from 'react'
import { reasonText } from '../texts/generic.ts'

interface LimitedSelectProps extends MultiSelectProps {
  most: number
  onChange: (chosen: string[]) => void
}

/** Several of many, up to `most`; one more is not taken, and the field shows why (SC-WID-16, VA-MSG-20). */
export function LimitedSelect({ most, error, onChange, ...select }: LimitedSelectProps) {
  const [isOver, setOver] = useState(false)
  return (
    <MultiSelect
      {...select}
      searchable
      classNames={{ pillsList: 'limited-pills' }}
      maxValues={most}
      error={isOver ? reasonText(because('list.atMost', { most: most })) : error}
      onMaxValues={() => setOver(true)}
      onChange={(chosen) => {
        setOver(false)
        onChange(chosen)
      }}
    />
  )
}
