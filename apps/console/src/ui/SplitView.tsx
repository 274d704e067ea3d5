import { useLocalStorage } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { Split } from './Split.tsx'
import type { SplitSize } from './split-size.ts'
import { useNarrow } from './use-narrow.ts'

interface SplitViewProps {
  id: string
  main: ReactNode
  /** The resizable side; null when there is none. */
  side: ReactNode | null
  sideLabel: string
}

/** Content with a resizable inspector at its end, under it on a narrow screen; its size is remembered on this machine. */
export function SplitView({ id, ...parts }: SplitViewProps) {
  const isStacked = useNarrow()
  const layoutId = isStacked ? `${id}-stacked` : id
  return <RememberedSplit key={layoutId} layoutId={layoutId} isStacked={isStacked} {...parts} />
}

interface RememberedSplitProps extends Omit<SplitViewProps, 'id'> {
  layoutId: string
  isStacked: boolean
}

function RememberedSplit({ layoutId, isStacked, ...parts }: RememberedSplitProps) {
  const defaultSize: SplitSize = isStacked ? 50 : '400px'
  const [size, setSize] = useLocalStorage<SplitSize>({
    key: `backhaul-split-${layoutId}`,
    defaultValue: defaultSize,
    getInitialValueInEffect: false,
  })
  const limits = isStacked
    ? { mainMin: 200, sideMin: 160, sideMax: 75 }
    : { mainMin: 360, sideMin: 300, sideMax: '720px' as const }
  return (
    <Split
      {...parts}
      {...limits}
      isStacked={isStacked}
      size={size}
      defaultSize={defaultSize}
      onSize={setSize}
    />
  )
}
