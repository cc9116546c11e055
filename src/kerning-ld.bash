# SPDX-License-Identifier: GPL-3.0-or-later
# bash-completion loads a file by the command's name; both commands' is the one.
. "${BASH_SOURCE[0]%/*}/kerning.bash"
