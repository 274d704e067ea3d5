import type { ReactNode } from 'react'
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels'
import { useNarrow } from './use-narrow.ts'

interface SplitViewProps {
  id: string
  main: ReactNode
  /** The resizable side; null when there is none. */
  side: ReactNode | null
  sideLabel: string
}

/** Content with a resizable inspector at its end, under it on a narrow screen; its size is remembered on this machine. */
export function SplitView({ id, main, side, sideLabel }: SplitViewProps) {
  const isStacked = useNarrow()
  const layoutId = isStacked ? `${id}-stacked` : id
  const remembered = useDefaultLayout({ id: layoutId, storage: localStorage, panelIds: ['main', 'side'] })
  return (
    <Group
      key={layoutId}
      orientation={isStacked ? 'vertical' : 'horizontal'}
      className="split-view"
      defaultLayout={side === null ? undefined : remembered.defaultLayout}
      onLayoutChanged={side === null ? undefined : remembered.onLayoutChanged}
    >
      <Panel id="main" minSize={isStacked ? 200 : 360}>
        {main}
      </Panel>
      {side === null ? null : (
        <>
          <Separator className="split-handle" aria-label={sideLabel} />
          <Panel
            id="side"
            defaultSize={isStacked ? '50%' : 400}
            minSize={isStacked ? 160 : 300}
            maxSize={isStacked ? '75%' : 720}
            groupResizeBehavior="preserve-pixel-size"
          >
            {side}
          </Panel>
        </>
      )}
    </Group>
  )
}
