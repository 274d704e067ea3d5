import type { ReactNode } from 'react'
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels'

interface SplitViewProps {
  id: string
  main: ReactNode
  /** The resizable side; null when there is nothing beside. */
  side: ReactNode | null
  sideLabel: string
}

/** Content with a resizable inspector at its end; the width is remembered on this machine. */
export function SplitView({ id, main, side, sideLabel }: SplitViewProps) {
  const remembered = useDefaultLayout({ id, storage: localStorage, panelIds: ['main', 'side'] })
  return (
    <Group
      orientation="horizontal"
      className="split-view"
      defaultLayout={side === null ? undefined : remembered.defaultLayout}
      onLayoutChanged={side === null ? undefined : remembered.onLayoutChanged}
    >
      <Panel id="main" minSize={360}>
        {main}
      </Panel>
      {side === null ? null : (
        <>
          <Separator className="split-handle" aria-label={sideLabel} />
          <Panel
            id="side"
            defaultSize={400}
            minSize={300}
            maxSize={720}
            groupResizeBehavior="preserve-pixel-size"
          >
            {side}
          </Panel>
        </>
      )}
    </Group>
  )
}
