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

const atEnd = {
  isStacked: false,
  defaultSize: '400px',
  mainMin: 360,
  sideMin: 300,
  sideMax: '720px',
} as const
const stacked = { isStacked: true, defaultSize: 50, mainMin: 200, sideMin: 160, sideMax: 75 } as const

/**
 * Content with a resizable inspector at its end, under it on a narrow screen; its size in each place is remembered on this
 * machine. Rows and parts that are open remain open when the screen gets narrow or wide.
 */
export function SplitView({ id, ...parts }: SplitViewProps) {
  const sizeAtEnd = useRememberedSize(id, atEnd.defaultSize)
  const sizeStacked = useRememberedSize(`${id}-stacked`, stacked.defaultSize)
  const isStacked = useNarrow()
  const [size, setSize] = isStacked ? sizeStacked : sizeAtEnd
  return <Split {...parts} {...(isStacked ? stacked : atEnd)} size={size} onSize={setSize} />
}

const useRememberedSize = (layoutId: string, defaultValue: SplitSize) =>
  useLocalStorage<SplitSize>({
    key: `backhaul-split-${layoutId}`,
    defaultValue,
    getInitialValueInEffect: false,
  })
