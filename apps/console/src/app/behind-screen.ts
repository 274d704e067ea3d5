// The parts of the shell that load after the screen, and the work that begins then, in one file.
import { ToastList } from '../ui/ToastList.tsx'
import { Banners } from './Banners.tsx'
import { reportPageVisit } from './page-visits.ts'
import { ShellDialogs } from './ShellDialogs.tsx'
import { TopBar } from './TopBar.tsx'
import { startWorkBehind } from './work-behind.ts'

export const partsBehind = { Banners, reportPageVisit, ShellDialogs, startWorkBehind, ToastList, TopBar }
