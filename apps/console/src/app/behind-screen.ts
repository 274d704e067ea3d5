// The parts of the shell that load after the screen, in one file.
import { ToastList } from '../ui/ToastList.tsx'
import { Banners } from './Banners.tsx'
import { ShellDialogs } from './ShellDialogs.tsx'
import { TopBar } from './TopBar.tsx'

export const partsBehind = { Banners, ShellDialogs, ToastList, TopBar }
