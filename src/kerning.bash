# SPDX-License-Identifier: GPL-3.0-or-later
# bash completion for kerning and kerning-ld.

# The words that the policy knows, each with '=' where a value follows.
_kerning_options='seed= align= offset= pad= jitter= shuffle= fix= move= apart= output= kernel layout= keep=
	cache= root= as= within= strict null stats policy= keep-notes
	reserve reserve= reserve-end= lock= lock-strict lock-force'

# Those that commands which link have as options of their own.
_kerning_policy='--seed= --pad= --jitter= --align= --offset= --shuffle= --fix= --move= --null --policy= --kernel
	--reserve --reserve= --reserve-end= --lock= --lock-strict --lock-force --root= --strict'

# What sweep and compare have in common.
_kerning_sweep='--layouts= --seeds= --runs= --best-of= --warmup= --budget= --axis= --no-plain --metric= --results= --check=
	--same-output --condition= --cpu= --aslr= --environment= --timeout= --chance= --store= --resume --jobs=
	--confidence= --quiet'

_kerning_commands='flags explain units show diff lock firewall capture link sweep compare report'

# Those that are for the compiler.
_kerning_directives='align-function= offset-function= pad-function= entry-pad= align-loop= pad-loop=
	align-variable= offset-variable= pad-variable= split= align-type= pad-type= offset-field='

_kerning_reply() {
	local IFS=$' \t\n'
	COMPREPLY=($(compgen -W "$1" -- "$cur"))
	if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then
		compopt -o nospace
	fi
}

_kerning_files() {
	compopt -o filenames
	COMPREPLY=($(compgen -f -- "$cur"))
}

# The word under the cursor as it was typed: '=' and ':' part no words here.
_kerning_word() {
	local line=${COMP_LINE:0:COMP_POINT}
	cur=${line##*[[:space:]]}
}

# Bash replaces only what is behind the last '=' or ':': cut the replies to it.
_kerning_cut() {
	local head=${cur%"${cur##*[=:]}"} i
	[[ -n $head ]] || return
	for i in "${!COMPREPLY[@]}"; do
		COMPREPLY[i]=${COMPREPLY[i]#"$head"}
	done
}

_kerning_value() {
	local prefix=$1 value=${cur#"$1"} i
	case $2 in
	file) compopt -o filenames; COMPREPLY=($(compgen -f -- "$value")) ;;
	*) COMPREPLY=($(compgen -W "$2" -- "$value")) ;;
	esac
	for i in "${!COMPREPLY[@]}"; do
		COMPREPLY[i]=$prefix${COMPREPLY[i]}
	done
	_kerning_cut
}

_kerning() {
	local cur command='' word i
	COMPREPLY=()
	_kerning_word
	for ((i = 1; i < COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		if [[ " $_kerning_commands " == *" $word "* ]]; then
			command=$word
			break
		fi
	done
	case $command:$cur in
	:*) _kerning_reply "$_kerning_commands --print-libexec --help --usage --version" ;;
	show:--sort=*) _kerning_value --sort= 'address size align section identity' ;;
	units:--sort=*) _kerning_value --sort= 'size align identity' ;;
	units:--script=*) _kerning_value --script= file ;;
	explain:--library-path=* | units:--library-path=*) _kerning_value --library-path= file ;;
	firewall:--changes=*) _kerning_value --changes= file ;;
	firewall:--output=*) _kerning_value --output= file ;;
	firewall:--align=*) _kerning_value --align= '64 256 4096' ;;
	firewall:-*) _kerning_reply '--budget= --growth= --align= --changes= --protect= --section= --output=
		--json --help --usage' ;;
	explain:-*) _kerning_reply '--library-path= --json --help --usage' ;;
	units:-*) _kerning_reply '--script= --library-path= --sort= --json --help --usage' ;;
	lock:-*) _kerning_reply '--all --modulus= --strict --json --help --usage' ;;
	diff:--layout-a=* | diff:--layout-b=* | diff:--hot=* | diff:--svg=*)
		_kerning_value "${cur%%=*}=" file ;;
	diff:--changed=*) _kerning_value --changed= 'address residue size company page new gone' ;;
	diff:--modulus=*) _kerning_value --modulus= '16 32 64 128 4096' ;;
	diff:--line=*) _kerning_value --line= '32 64 128 256' ;;
	diff:-*)
		_kerning_reply '--section= --symbol= --near= --changed= --only-unchanged-size --limit=
			--all --modulus= --line= --hot= --layout-a= --layout-b= --json --svg= --exit-code
			--help --usage' ;;
	show:-*) _kerning_reply '--sort= --json --help --usage' ;;
	capture:--output=* | capture:--list=* | link:--output=* | link:--layout=* | link:--cache=* | \
	link:--policy=* | link:--lock=* | link:--root=*)
		_kerning_value "${cur%%=*}=" file ;;
	capture:-*) _kerning_reply '--output= --list= --json --help --usage' ;;
	link:-*) _kerning_reply "--output= --layout= --cache= --list --json $_kerning_policy --help --usage" ;;
	sweep:--store=* | sweep:--bundle=* | sweep:--kernel=* | sweep:--output=* | sweep:--policy=* | \
	sweep:--lock=* | compare:--store=* | compare:--output=* | compare:--policy=* | compare:--lock=*)
		_kerning_value "${cur%%=*}=" file ;;
	sweep:--axis=* | compare:--axis=*) _kerning_value --axis= 'text rodata data bss percpu' ;;
	sweep:--aslr=* | compare:--aslr=*) _kerning_value --aslr= 'off on' ;;
	sweep:--metric=* | compare:--metric=*) _kerning_value --metric= 'wall cpu user sys max-rss' ;;
	sweep:--results=* | compare:--results=*)
		_kerning_value --results= 'google-benchmark hyperfine fio stress-ng will-it-scale lkp' ;;
	compare:--format=*) _kerning_value --format= 'text md html json lkp' ;;
	compare:--gate=*) _kerning_value --gate= 'worse real unsure' ;;
	sweep:-*) _kerning_reply "--bundle= --build= --output= --kernel= --image= --until= --json $_kerning_sweep
		$_kerning_policy --help --usage" ;;
	compare:-*) _kerning_reply "--kernel --image= --build= --output= --effect= --reported= --looks= --format=
		--json --gate= $_kerning_sweep $_kerning_policy --help --usage" ;;
	report:--output=*) _kerning_value --output= file ;;
	report:--format=*) _kerning_value --format= 'text md html json lkp' ;;
	report:-*) _kerning_reply '--output= --format= --metric= --best-of= --effect= --confidence= --reported= --help
		--usage' ;;
	flags:-*) _kerning_reply '--kernel --plugin --help --usage' ;;
	flags:layout=* | flags:keep=* | flags:cache=* | flags:root=* | flags:policy=* | flags:lock=*)
		_kerning_value "${cur%%=*}=" file ;;
	flags:*) _kerning_reply "$_kerning_options $_kerning_directives" ;;
	*) _kerning_files ;;
	esac
}

_kerning_ld() {
	local cur words
	COMPREPLY=()
	_kerning_word
	case $cur in
	--kerning-layout=* | --kerning-keep=* | --kerning-cache=* | --kerning-root=* | \
	--kerning-policy=* | --kerning-within=* | --kerning-lock=*)
		_kerning_value "${cur%%=*}=" file ;;
	-*)
		words=" $(echo $_kerning_options)"
		_kerning_reply "${words// / --kerning-}" ;;
	*) _kerning_files ;;
	esac
}

complete -F _kerning kerning
complete -F _kerning_ld kerning-ld
