import { useMergedRef, useSplitter } from '@mantine/hooks'
import { useCallback } from 'react'
import { restOf, type SplitProps, type SplitSize } from './split-size.ts'

/** The handle between the two parts of a split: it stands directly in the element that holds both. */
export function SplitHandle(props: SplitProps) {
  const { isStacked = false, isSideFirst = false, size, onSize } = props
  const sideAt = isSideFirst ? 0 : 1
  const inOrder = <T,>(ofMain: T, ofSide: T): T[] => (isSideFirst ? [ofSide, ofMain] : [ofMain, ofSide])
  const splitter = useSplitter<HTMLDivElement>({
    orientation: isStacked ? 'vertical' : 'horizontal',
    panels: inOrder(
      { defaultSize: restOf(size), min: `${props.mainMin}px` },
      { defaultSize: props.defaultSize, min: `${props.sideMin}px`, max: props.sideMax },
    ),
    sizes: inOrder<SplitSize>(restOf(size), size),
    onSizeChange: (sizes) => onSize((sizes[sideAt] as SplitSize | undefined) ?? size),
    step: '10px',
    shiftStep: '50px',
  })
  const { ref: refOfView } = splitter
  const measured = useCallback(
    (handle: HTMLElement | null) => refOfView((handle?.parentElement ?? null) as HTMLDivElement | null),
    [refOfView],
  )
  const { ref, ...ofSplitter } = splitter.getHandleProps({ index: 0 })
  const handle = {
    ...ofSplitter,
    ref: useMergedRef(ref, measured),
    'aria-label': props.sideLabel,
    onDoubleClick: () => onSize(props.defaultSize),
  }
  return <div className="split-handle" {...handle} />
}
