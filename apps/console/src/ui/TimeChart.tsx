// A small time chart on canvas: bands, lines and bars over one time axis, with a shared cursor.
import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { clockTime } from './locale.ts'

export interface ChartSeries {
  label: string
  /** A CSS variable or colour. */
  colour: string
  kind: 'band' | 'line' | 'dashed' | 'bars'
  /** Bars have a scale of their own. */
  ownScale?: boolean
}

interface TimeChartProps {
  /** s since 1970 */
  times: readonly number[]
  values: readonly (readonly (number | null)[])[]
  series: readonly ChartSeries[]
  height: number
  /** Top of the scale; the bottom is 0. */
  max: number
  /** s */
  from: number
  to: number
  unit: string
  /** Charts of one name move their cursors together. */
  cursor: string
  onCursor?: (index: number | null) => void
}

const axisFont = '11px "Inter Variable", sans-serif'

export function TimeChart(props: TimeChartProps) {
  const root = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot>(undefined)
  const latest = useRef(props)
  latest.current = props
  // The canvas keeps the colours with which it was drawn.
  const scheme = useComputedColorScheme('dark')
  const shape = JSON.stringify([scheme, props.series, props.height, props.unit, props.cursor])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chart is made again only when its shape or colours change
  useEffect(() => {
    const element = root.current
    if (!element) return
    const plot = new uPlot(optionsOf(latest, element), dataOf(latest.current), element)
    chart.current = plot
    const resizes = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: latest.current.height }),
    )
    resizes.observe(element)
    return () => {
      resizes.disconnect()
      plot.destroy()
      chart.current = undefined
    }
  }, [shape])
  useEffect(() => {
    chart.current?.setData(dataOf(props))
  })
  return <div ref={root} className="time-chart" aria-hidden="true" />
}

const dataOf = ({ times, values }: TimeChartProps) => [times, ...values] as unknown as uPlot.AlignedData

function optionsOf(latest: { current: TimeChartProps }, element: HTMLElement): uPlot.Options {
  const { series, height, unit, cursor } = latest.current
  const style = getComputedStyle(element)
  const resolve = (colour: string) => {
    const name = /^var\((--[\w-]+)\)$/.exec(colour)?.[1]
    return name ? style.getPropertyValue(name).trim() : colour
  }
  const text = resolve('var(--text-3)')
  const grid = { stroke: resolve('var(--divider)'), width: 1 }
  return {
    width: element.clientWidth || 300,
    height,
    legend: { show: false },
    cursor: { sync: { key: cursor }, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: { time: true, range: () => [latest.current.from, latest.current.to] },
      y: { range: () => [0, latest.current.max] },
      own: { range: (_, __, high) => [0, Math.max(10, high ?? 0) * 3] },
    },
    axes: [
      {
        stroke: text,
        grid,
        ticks: { show: false },
        font: axisFont,
        size: 22,
        values: (_, marks) => marks.map((mark) => clockTime(mark * 1000)),
        space: 70,
      },
      {
        stroke: text,
        grid,
        ticks: { show: false },
        font: axisFont,
        size: 44,
        space: 24,
        values: (_, marks) => marks.map((mark) => `${mark}${mark === 0 ? ` ${unit}` : ''}`),
      },
    ],
    series: [{}, ...series.map((one) => seriesOf(one, resolve(one.colour)))],
    bands: bandsOf(series),
    hooks: { setCursor: [(plot) => latest.current.onCursor?.(plot.cursor.idx ?? null)] },
  }
}

function seriesOf({ label, kind, ownScale }: ChartSeries, colour: string): uPlot.Series {
  const scale = ownScale ? 'own' : 'y'
  if (kind === 'bars') {
    const paths = uPlot.paths.bars?.({ size: [0.8, 8, 2] })
    return { label, scale, fill: colour, stroke: colour, points: { show: false }, ...(paths && { paths }) }
  }
  return {
    label,
    scale,
    stroke: colour,
    width: kind === 'band' ? 1 : 1.5,
    points: { show: false },
    spanGaps: false,
    ...(kind === 'band' && { fill: `color-mix(in srgb, ${colour} 62%, transparent)` }),
    ...(kind === 'dashed' && { dash: [5, 4] }),
  }
}

/** Each band is filled down to the one below it; the lowest down to zero. */
function bandsOf(series: readonly ChartSeries[]): uPlot.Band[] {
  const bands = series.flatMap(({ kind }, index) => (kind === 'band' ? [index + 1] : []))
  return bands.slice(1).map((upper, index) => ({ series: [upper, bands[index] as number] }))
}
